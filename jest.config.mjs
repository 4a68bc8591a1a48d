// Tests restore variables, but onnxruntime reads this one when it's first used in a process.
process.env.ORT_DISABLE_TELEMETRY = '1';

/**
 * Runs what `nest build -p tsconfig.all.json` compiled, so tests and production share one compiler and one swagger
 * plugin.
 */
export default {
  testEnvironment: '<rootDir>/test/setup/jest/environment.mjs',
  testRunner: '<rootDir>/test/setup/jest/runner.mjs',
  testSequencer: '<rootDir>/test/setup/jest/sequencer.mjs',
  roots: ['src', 'document-reader', 'test', 'dashboard'].map((folder) => `<rootDir>/build/${folder}`),
  testMatch: ['**/*.spec.js', '**/*.e2e-spec.js'],
  globalSetup: '<rootDir>/build/test/setup/global-setup.js',
  globalTeardown: '<rootDir>/build/test/setup/global-teardown.js',
  transform: {},
  // A journey through the dashboard takes many steps, and the machine may be busy with something else.
  testTimeout: 120_000,
  // Many tests wait for time limits, so four workers keep two processors busy.
  maxWorkers: 4,
  // A worker is replaced before collecting its garbage takes long enough to trip time limits in the code under test. A new
  // one loads and compiles all modules again, so this should rarely happen.
  workerIdleMemoryLimit: '2GB',
  // A worker that has left nothing open is done at once, but a busy machine may take a while to end it.
  workerGracefulExitTimeout: 10_000,
};
