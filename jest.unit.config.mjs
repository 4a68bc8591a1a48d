import config from './jest.config.mjs';

/** The tests that need no database, browser or running app, as transpiled by `npm run test:unit`. */
export default {
  ...config,
  roots: ['<rootDir>/build/unit'],
  testMatch: ['**/*.spec.js'],
  globalSetup: null,
  globalTeardown: null,
  maxWorkers: '100%',
};
