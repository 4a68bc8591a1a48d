// `npm start`. Written so that any Node that knows modules can read it: an old one must get as far as the sentence
// that tells which version is needed.
import { requireSupportedNode } from './lib/node-version.mjs';

requireSupportedNode();
import('./lib/start.mjs').then(({ start }) => start());
