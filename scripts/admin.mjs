// `npm run admin`. In a checkout, installs and builds first if needed; the image contains only built files.
import { existsSync } from 'node:fs';

if (existsSync(new URL('./lib/start.mjs', import.meta.url))) {
  const { requireSupportedNode } = await import('./lib/node-version.mjs');
  requireSupportedNode();
  const { prepareService } = await import('./lib/start.mjs');
  await prepareService();
}
process.setSourceMapsEnabled(true);
await import('../dist/admin.js');
