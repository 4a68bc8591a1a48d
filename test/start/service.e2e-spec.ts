import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { call } from '../setup/call.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { waitFor } from '../setup/wait-for.js';
import { createKey } from './create-key.js';
import { runNpmStart, runService, type ServiceProcess } from './service-process.js';

const password = 'correct horse battery';

/** Holds the database created by the first start. */
let folder: TemporaryFolder;
let firstPrinted: string;
let firstUrl: string;
let key: string;
const started: ServiceProcess[] = [];

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  const first = run({ ADMIN_PASSWORD: password });
  firstUrl = await first.ready;
  key = await createKey(firstUrl, password);
  expect(await stop(first, 'SIGTERM')).toBe(0);
  firstPrinted = first.printed();
});
afterEach(stopAll);
afterAll(async () => {
  await stopAll();
  await folder.remove();
});

async function stopAll(): Promise<void> {
  for (const { child, exited } of started.splice(0)) {
    child.kill('SIGTERM');
    await exited;
  }
}

function run(environment: Record<string, string> = {}): ServiceProcess {
  const service = runService({ DATA_DIR: path.join(folder.path, 'data'), ...environment });
  started.push(service);
  return service;
}

/** Returns the data directory for a first start. */
const newDataDirectory = () => path.join(folder.path, randomUUID());

/** Runs a failing start and returns its exit code and output. */
async function runFailing(environment: Record<string, string>): Promise<{ code: number | null; printed: string }> {
  const service = run(environment);
  const code = await service.exited;
  return { code, printed: service.printed() };
}

async function stop({ child, exited }: ServiceProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  return exited;
}

const listModels = async (url: string, token: string) => (await call(url, 'GET /v1/models', { token })).status;

describe('Starting Keycard', () => {
  it('should print the URL, docs, an example and the administrator', () => {
    expect(firstPrinted).toContain(`${firstUrl}/docs`);
    expect(firstPrinted).toContain('admin@keycard.local');
    expect(firstPrinted).toContain(`curl -s ${firstUrl}/v1/embeddings`);
  });

  it("should print neither a key nor the operator's password", () => {
    expect(key).toMatch(/^kc_/);
    expect(firstPrinted).not.toContain(key);
    expect(firstPrinted).not.toContain(password);
  });

  it('should keep its keys after SIGTERM and after kill -9, and print the administrator only once', async () => {
    const service = run();
    const url = await service.ready;
    expect(service.printed()).not.toContain('Administrator:');
    expect(await listModels(url, key)).toBe(200);
    const created = await createKey(url, password);
    await stop(service, 'SIGKILL');
    const next = run();
    expect(await listModels(await next.ready, created)).toBe(200);
  });
});

describe('Stopping Keycard', () => {
  it('should stop cleanly when npm receives the signal', async () => {
    const service = runNpmStart({ DATA_DIR: path.join(folder.path, 'data') });
    started.push(service);
    await service.ready;
    expect(await stop(service, 'SIGTERM')).toBe(0);
    expect(service.printed()).toContain('Stopping on SIGTERM');
  });

  it('should leave nothing running if a signal arrives during a start', async () => {
    const DATA_DIR = newDataDirectory();
    const service = run({ DATA_DIR });
    const postmaster = path.join(DATA_DIR, 'postgresql', 'data', 'postmaster.pid');
    const ended = service.exited.then(() => true);
    // Once the database server exists, long before the service is ready.
    while (!existsSync(postmaster)) if (await Promise.race([ended, nextTurn(false)])) break;
    expect(await stop(service, 'SIGINT')).toBe(0);
    // No later start prints the administrator.
    expect(service.printed()).toContain('Administrator:');
    expect(existsSync(postmaster)).toBe(false);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)('should skip the drain on %s', async (signal) => {
    const service = run({ DRAIN_SECONDS: '300' });
    await service.ready;
    expect(await stop(service, signal)).toBe(0);
  });

  it('should cut the drain short on a second signal', async () => {
    const service = run({ DRAIN_SECONDS: '300' });
    await service.ready;
    let hasExited = false;
    void service.exited.then(() => (hasExited = true));
    // Signals within the first second count as one: npm forwards those that the terminal has already sent.
    await waitFor(() => {
      service.child.kill('SIGTERM');
      return hasExited;
    });
    expect(await service.exited).toBe(0);
  });

  it('should finish requests in flight, reject new ones and exit with code 0', async () => {
    const service = run();
    const url = await service.ready;
    const input = Array.from(
      { length: 200 },
      (_, number) => `A sentence that takes a while to embed, number ${number}`,
    );
    const body = { model: 'universal-sentence-encoder-lite', input };
    const embed = () => call(url, 'POST /v1/embeddings', { token: key, body });
    await embed();
    const inFlight = embed();
    // Once a later, short request has returned, the long one must have arrived.
    await listModels(url, key);
    const exit = stop(service, 'SIGTERM');
    service.child.kill('SIGTERM');
    expect((await inFlight).status).toBe(200);
    expect(await exit).toBe(0);
    await expect(listModels(url, key)).rejects.toThrow();
  });
});

describe('A failing start', () => {
  const sentence = (text: string) => new RegExp(`^Keycard cannot start: [^\\n]*${text}[^\\n]*\\.\\n$`);

  // The unit tests of readConfig cover the other variables.
  it.each([
    ['a wrong port', { PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgresql://keycard:hidden@127.0.0.1:1/keycard', JWT_SECRET: 'x'.repeat(32) },
      'DATABASE_URL: nothing listens',
    ],
    ["another machine's IP address", { HOST: '192.0.2.1' }, 'HOST 192.0.2.1 is not an IP address of this machine'],
  ])('should exit with one sentence and code 1 for %s', async (_title, environment, text) => {
    const { code, printed } = await runFailing(environment);
    expect(printed).toMatch(sentence(text));
    expect(printed).not.toContain('hidden');
    expect(code).toBe(1);
  });

  it('should exit with one sentence and code 1 if the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const DATA_DIR = newDataDirectory();
    const { code, printed } = await runFailing({ DATA_DIR, PORT: port }).finally(() => server.close());
    expect(printed).toMatch(sentence(`PORT ${port} on 127.0.0.1 is in use`));
    expect(code).toBe(1);

    // The administrator doesn't exist yet, so the next start is the first one.
    const next = run({ DATA_DIR });
    await next.ready;
    expect(next.printed()).toContain('Administrator:');
  });

  it('should exit with one sentence and code 1 if another Keycard holds DATA_DIR', async () => {
    const holder = run();
    const url = await holder.ready;
    const { code, printed } = await runFailing({});
    expect(printed).toMatch(sentence(`is in use by another Keycard process \\(pid ${holder.child.pid}\\)`));
    expect(code).toBe(1);
    expect((await call(url, 'GET /health/ready')).status).toBe(200);
  });

  it('should exit with one sentence and code 1 if DATA_DIR cannot be written', async () => {
    const file = path.join(folder.path, 'file');
    await writeFile(file, 'in the way');
    const { code, printed } = await runFailing({ DATA_DIR: path.join(file, 'data') });
    expect(printed).toMatch(sentence('DATA_DIR'));
    expect(code).toBe(1);
  });
});
