import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type ProxyOptions } from 'vite';
import { chunkGroups } from './chunks.js';
import { precompress } from './precompress.js';

/** The service that `npx vite dashboard` asks: `npm start`, as it is without settings. */
const service = 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  // The service puts a new value in place of this one into each page it sends, and into its Content-Security-Policy.
  html: { cspNonce: 'CSP_NONCE' },
  plugins: [precompress()],
  resolve: { alias: { '@rules': path.join(import.meta.dirname, '../src/common/rules') } },
  server: { proxy: proxyToService() },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // What each chunk needs; scripts/check-bundle.mjs adds up the sizes by it.
    manifest: true,
    // Nothing may be inlined as a data: URL: the Content-Security-Policy asks for files of this server.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Mantine marks its files for React's server components, which there are none of here.
      checks: { moduleLevelDirective: false },
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
});

/** What the service owns beside the dashboard: the paths of its API, and the page that describes it. */
function proxyToService(): Record<string, ProxyOptions> {
  const openApiFile = path.join(import.meta.dirname, '..', 'openapi.json');
  const { paths } = JSON.parse(readFileSync(openApiFile, 'utf8')) as { paths: object };
  const owned = new Set(Object.keys(paths).map((route) => route.split('/')[1]));
  return { [`^/(${[...owned].join('|')}|docs|openapi.json)([/?]|$)`]: { target: service } };
}
