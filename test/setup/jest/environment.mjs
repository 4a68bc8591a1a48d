import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

// Node.js 21 and later have one, with the developer's language, which the dashboard would format dates for.
delete globalThis.navigator;

/** Runs test files in the global scope of the worker, and restores what they and Jest change there. */
export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  /** Jest's legacy timers. */
  fakeTimers = null;

  #console = console;
  #exit = process.exit;
  #getBuiltinModule = process.getBuiltinModule;
  #variables = { ...process.env };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext() {
    return null;
  }

  async setup() {
    // Jest has replaced it with one for its own module loader.
    process.getBuiltinModule = this.#getBuiltinModule;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
  }
}
