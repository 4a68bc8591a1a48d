import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type ProxyOptions } from 'vite';
import { chunkGroups } from './chunks.js';
import { pageFiles } from './page-files.js';
import { precompress } from './precompress.js';
import { swaggerUi } from './swagger-ui.js';

/** Where `npm start` listens by default; `npx vite dashboard` proxies to it. */
const service = 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  // A placeholder that the service replaces with a new nonce in each page and its Content-Security-Policy.
  html: { cspNonce: 'CSP_NONCE' },
  plugins: [pageFiles(), swaggerUi(), precompress()],
  resolve: { alias: { '@rules': path.join(import.meta.dirname, '../src/common/rules') } },
  server: { proxy: proxyToService() },
  build: {
    // Swagger UI is one chunk, loaded after the page. scripts/check-bundle.mjs limits what pages load first.
    chunkSizeWarningLimit: 2000,
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Lists the imports of each chunk, for scripts/check-bundle.mjs.
    manifest: true,
    // The Content-Security-Policy blocks data: URLs.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'docs.html'].map((page) => path.join(import.meta.dirname, page)),
      // Mantine's files have a directive for React Server Components, which aren't used here.
      checks: { moduleLevelDirective: false },
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
});

/** Proxies the API and its docs page. */
function proxyToService(): Record<string, ProxyOptions> {
  const openApiFile = path.join(import.meta.dirname, '..', 'openapi.json');
  const { paths } = JSON.parse(readFileSync(openApiFile, 'utf8')) as { paths: object };
  const prefixes = new Set(Object.keys(paths).map((route) => route.split('/')[1]));
  return { [`^/(${[...prefixes].join('|')}|docs|openapi.json)([/?]|$)`]: { target: service } };
}
