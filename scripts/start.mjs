// `npm start`. Uses only syntax that old versions of Node.js can parse, so that they print which version is needed.
import { requireSupportedNode } from './lib/node-version.mjs';

requireSupportedNode();
import('./lib/start.mjs').then(({ start }) => start());
