// `npm run test:unit`; arguments after `--` are passed to Jest. Uses only old syntax, like start.mjs.
import { requireSupportedNode } from './lib/node-version.mjs';

requireSupportedNode();
import('./lib/test.mjs').then(({ testUnits }) => testUnits(process.argv.slice(2)));
