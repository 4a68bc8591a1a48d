// `npm run test:unit`; what follows `--` goes to Jest. Readable by any Node that knows modules, like start.mjs.
import { requireSupportedNode } from './lib/node-version.mjs';

requireSupportedNode();
import('./lib/test.mjs').then(({ testUnits }) => testUnits(process.argv.slice(2)));
