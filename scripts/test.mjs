// `npm test`; what follows `--` goes to Jest. Readable by any Node that knows modules, like start.mjs.
import { requireSupportedNode } from './lib/node-version.mjs';

requireSupportedNode();
import('./lib/test.mjs').then(({ test }) => test(process.argv.slice(2)));
