import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { default: runCircus } = require('jest-circus/runner');

/**
 * Runs a test file like Jest, but loads it with the module loader of Node.js. Jest's own evaluates every module again for
 * every test file, which takes more CPU time than the tests. Here, the test files of a worker share their modules, so
 * `jest.mock` and `--watch` don't work.
 */
export default function run(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  runtime.requireInternalModule = requireFresh;
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = (file) => import(pathToFileURL(file).href);
  globalThis.jest = runtime.requireModuleOrMock(testPath, '@jest/globals').jest;
  return runCircus(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
}

/**
 * Evaluates Jest's test framework again. It keeps the tests of a file in a global whose name is a new symbol each time, and
 * its listeners in another.
 */
function requireFresh(file) {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'].includes(symbol.description)) delete globalThis[symbol];
  }
  delete require.cache[file];
  return require(file);
}
