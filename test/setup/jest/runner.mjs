import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const require = createRequire(import.meta.url);
const { default: runCircus } = require('jest-circus/runner');
const asyncHooks = require('node:async_hooks');

// Optimizing functions as early as V8 usually does takes more CPU time than most tests get back.
setFlagsFromString('--interrupt-budget=1000000');

/**
 * Runs a test file like Jest, but loads it with the module loader of Node.js. Jest's own evaluates every module again for
 * every test file, which takes more CPU time than the tests. Here, the test files of a worker share their modules, so
 * `jest.mock` and `--watch` don't work.
 */
export default async function run(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  runtime.requireInternalModule = requireFresh;
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = (file) => import(pathToFileURL(file).href);
  globalThis.jest = runtime.requireModuleOrMock(testPath, '@jest/globals').jest;
  const disableStorages = trackStorages();
  try {
    return await runCircus(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
  } finally {
    disableStorages();
  }
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

/**
 * Returns a function that disables every `AsyncLocalStorage` created in the meantime. The test framework creates one per
 * test file, and each enabled one slows down every promise of the files that follow.
 */
function trackStorages() {
  const { AsyncLocalStorage } = asyncHooks;
  const storages = [];
  asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor(...options) {
      super(...options);
      storages.push(this);
    }
  };
  return () => {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    for (const storage of storages) storage.disable();
  };
}
