/**
 * Runs what `nest build -p tsconfig.all.json` compiled, so tests and production share one compiler
 * and one swagger plugin. Two ES modules are loaded by CommonJS packages of Fastify; before Node 24.9 Jest
 * cannot `require` an ES module, so these two are turned into CommonJS there.
 */
const esmRequiredByCommonJs = 'cookie|content-disposition';
const [major, minor] = process.versions.node.split('.').map(Number);
const canRequireEsm = major > 24 || (major === 24 && minor >= 9);

const toCommonJs = {
  transform: { [`/node_modules/(${esmRequiredByCommonJs})/.+\\.js$`]: '<rootDir>/test/setup/to-commonjs.cjs' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmRequiredByCommonJs})/)`],
};

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/build/src', '<rootDir>/build/test', '<rootDir>/build/dashboard'],
  testMatch: ['**/*.spec.js', '**/*.e2e-spec.js'],
  globalSetup: '<rootDir>/build/test/setup/global-setup.js',
  globalTeardown: '<rootDir>/build/test/setup/global-teardown.js',
  ...(canRequireEsm ? { transform: {} } : toCommonJs),
  // A journey through the dashboard takes many steps, and the machine may be busy with something else.
  testTimeout: 120_000,
  maxWorkers: 2,
  // Jest never frees the ES modules of a finished test file. A worker is replaced before collecting its garbage takes
  // long enough to trip time limits in the code under test.
  workerIdleMemoryLimit: '768MB',
  // A worker that has left nothing open is done at once, but a busy machine may take a while to end it.
  workerGracefulExitTimeout: 10_000,
};
