// `npm test`; arguments after `--` are passed to Jest. Uses only old syntax, like start.mjs.
import { requireSupportedNode } from './lib/node-version.mjs';

requireSupportedNode();
import('./lib/test.mjs').then(({ test }) => test(process.argv.slice(2)));
