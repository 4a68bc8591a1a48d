import { startTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/** Options, or a function that returns them before the tests run. It can start servers that the app needs. */
export type LateOptions = TestAppOptions | (() => TestAppOptions | Promise<TestAppOptions>);

/**
 * Starts the app before the tests of this file or `describe` block and stops it after them.
 *
 * @returns the app, for use in hooks and tests
 */
export function useTestApp(options: LateOptions = {}): TestApp {
  return useStarted(async () => startTestApp(await read(options)));
}

/** Like `useTestApp`, with two apps on one database. */
export function useReplicas(options: LateOptions = {}): [first: TestApp, second: TestApp] {
  let first: TestApp | undefined;
  let second: TestApp | undefined;
  beforeAll(async () => {
    const settings = await read(options);
    first = await startTestApp(settings);
    second = await startTestApp({ ...settings, database: first.database });
  });
  afterAll(async () => {
    await second?.stop();
    await first?.stop();
    first = second = undefined;
  });
  return [lateBound(() => first), lateBound(() => second)];
}

/** Returns a function that starts an app for one test. */
export function useAppStarter(): (options?: TestAppOptions) => Promise<TestApp> {
  const started: TestApp[] = [];
  afterEach(async () => {
    for (const app of started.splice(0).reverse()) await app.stop();
  });
  return async (options) => {
    const app = await startTestApp(options);
    started.push(app);
    return app;
  };
}

/** Starts a service before the tests of this file or `describe` block and stops it after them. */
export function useStarted<Service extends { stop: () => Promise<void> }>(start: () => Promise<Service>): Service {
  let started: Service | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    await started?.stop();
    started = undefined;
  });
  return lateBound(() => started);
}

async function read(options: LateOptions): Promise<TestAppOptions> {
  return typeof options === 'function' ? options() : options;
}

/** Forwards to an object that doesn't exist yet. */
function lateBound<Target extends object>(find: () => Target | undefined): Target {
  const target = () => {
    const found = find();
    if (found === undefined) throw new Error('Only hooks and tests can use this: it starts in beforeAll.');
    return found;
  };
  return new Proxy({} as Target, {
    get: (_, name): unknown => Reflect.get(target(), name),
    set: (_, name, value) => Reflect.set(target(), name, value),
  });
}
