import { defineConfig } from 'vite';
import { precompress } from './precompress.js';

export default defineConfig({
  root: import.meta.dirname,
  // The service puts a new value in place of this one into each page it sends, and into its Content-Security-Policy.
  html: { cspNonce: 'CSP_NONCE' },
  plugins: [precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // What each chunk needs; scripts/check-bundle.mjs adds up the sizes by it.
    manifest: true,
    // Nothing may be inlined as a data: URL: the Content-Security-Policy asks for files of this server.
    assetsInlineLimit: 0,
    // Mantine marks its files for React's server components, which there are none of here.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
});
