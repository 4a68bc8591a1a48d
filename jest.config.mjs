/**
 * Runs what `nest build -p tsconfig.all.json` compiled, so tests and production share one compiler
 * and one swagger plugin. Two ES modules are loaded by CommonJS packages of Fastify; Jest on Node 20
 * cannot `require` an ES module, so these two are turned into CommonJS.
 */
const esmRequiredByCommonJs = 'cookie|content-disposition';

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/build/src', '<rootDir>/build/test'],
  testMatch: ['**/*.spec.js', '**/*.e2e-spec.js'],
  globalSetup: '<rootDir>/build/test/setup/global-setup.js',
  globalTeardown: '<rootDir>/build/test/setup/global-teardown.js',
  transform: { [`/node_modules/(${esmRequiredByCommonJs})/.+\\.js$`]: '<rootDir>/test/setup/to-commonjs.cjs' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmRequiredByCommonJs})/)`],
  testTimeout: 30_000,
  maxWorkers: 2,
};
