import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { call } from '../setup/call.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { createKey } from './create-key.js';
import { runNpmStart, runService, type ServiceProcess } from './service-process.js';

let folder: TemporaryFolder;
let started: ServiceProcess[] = [];

beforeEach(async () => {
  folder = await makeTemporaryFolder();
  started = [];
});
afterEach(async () => {
  for (const { child, exited } of started) {
    child.kill('SIGTERM');
    await exited;
  }
  await folder.remove();
});

const password = 'correct horse battery';

const dataDirectory = () => path.join(folder.path, 'data');

function run(environment: Record<string, string> = {}): ServiceProcess {
  const service = runService({ DATA_DIR: dataDirectory(), ...environment });
  started.push(service);
  return service;
}

/** Runs a start that must fail: its exit code, and what it printed. */
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
  it('should print the address, the docs, the administrator once, and an example', async () => {
    const first = run({ ADMIN_PASSWORD: password });
    const url = await first.ready;
    expect(first.printed()).toContain(`${url}/docs`);
    expect(first.printed()).toContain('admin@keycard.local');
    expect(first.printed()).toContain(`curl -s ${url}/v1/embeddings`);
    const key = await createKey(url, password);
    expect(await listModels(url, key)).toBe(200);
    expect(await stop(first, 'SIGTERM')).toBe(0);

    const second = run();
    const nextUrl = await second.ready;
    expect(second.printed()).not.toContain('Administrator:');
    expect(await listModels(nextUrl, key)).toBe(200);
    expect(await stop(second, 'SIGINT')).toBe(0);
    expect(first.printed() + second.printed()).not.toContain(key);
  });

  it('should not show a password that the operator has chosen', async () => {
    const service = run({ ADMIN_PASSWORD: 'correct horse battery' });
    const url = await service.ready;
    expect(service.printed()).not.toContain('correct horse battery');
    expect(await createKey(url, 'correct horse battery')).toMatch(/^kc_/);
  });

  it('should recover by itself after a kill -9 in the middle of work', async () => {
    const password = 'correct horse battery';
    const service = run({ ADMIN_PASSWORD: password });
    const key = await createKey(await service.ready, password);
    await stop(service, 'SIGKILL');
    const next = run();
    expect(await listModels(await next.ready, key)).toBe(200);
  });
});

describe('Stopping Keycard', () => {
  it('should stop cleanly when it is npm that is told to stop', async () => {
    const service = runNpmStart({ DATA_DIR: dataDirectory() });
    started.push(service);
    await service.ready;
    expect(await stop(service, 'SIGTERM')).toBe(0);
    expect(service.printed()).toContain('Stopping on SIGTERM');
  });

  it('should leave nothing running when it is told so in the middle of a start', async () => {
    const service = run();
    const postmaster = path.join(dataDirectory(), 'postgresql', 'data', 'postmaster.pid');
    const ended = service.exited.then(() => true);
    // As soon as there is a database server, and long before the service is ready.
    while (!existsSync(postmaster)) if (await Promise.race([ended, nextTurn(false)])) break;
    expect(await stop(service, 'SIGINT')).toBe(0);
    // The administrator is shown all the same: it will not be shown again.
    expect(service.printed()).toContain('Administrator:');
    expect(existsSync(postmaster)).toBe(false);
  });

  it('should finish what is in flight, refuse what is new, and exit with code 0', async () => {
    const password = 'correct horse battery';
    const service = run({ ADMIN_PASSWORD: password });
    const url = await service.ready;
    const token = await createKey(url, password);
    const input = Array.from({ length: 200 }, (_, number) => `A sentence that takes its time, number ${number}`);
    const body = { model: 'universal-sentence-encoder-lite', input };
    const embed = () => call(url, 'POST /v1/embeddings', { token, body });
    await embed();
    const inFlight = embed();
    // A short request on the way behind it: once it is answered, the long one has arrived.
    await listModels(url, token);
    const exit = stop(service, 'SIGTERM');
    service.child.kill('SIGTERM');
    expect((await inFlight).status).toBe(200);
    expect(await exit).toBe(0);
    await expect(listModels(url, token)).rejects.toThrow();
  });
});

describe('A start that cannot succeed', () => {
  const sentence = (text: string) => new RegExp(`^Keycard cannot start: [^\\n]*${text}[^\\n]*\\.\\n$`);

  it.each([
    ['a wrong port', { PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    ['a short secret', { JWT_SECRET: 'short' }, 'JWT_SECRET must be at least 32 bytes long'],
    ['a database without a secret', { DATABASE_URL: 'postgresql://127.0.0.1:1/keycard' }, 'JWT_SECRET must be set'],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgresql://keycard:hidden@127.0.0.1:1/keycard', JWT_SECRET: 'x'.repeat(32) },
      'DATABASE_URL: nothing listens',
    ],
    ['an address of another machine', { HOST: '192.0.2.1' }, 'HOST 192.0.2.1 is not an address of this machine'],
  ])('should end with one sentence and code 1 for %s', async (_title, environment, text) => {
    const { code, printed } = await runFailing(environment);
    expect(printed).toMatch(sentence(text));
    expect(printed).not.toContain('hidden');
    expect(code).toBe(1);
  });

  it('should end with one sentence and code 1 when the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { code, printed } = await runFailing({ PORT: port });
    server.close();
    expect(printed).toMatch(sentence(`PORT ${port} on 127.0.0.1 is in use`));
    expect(code).toBe(1);

    // The administrator is not created yet: the next start is still the first one.
    const next = run();
    await next.ready;
    expect(next.printed()).toContain('Administrator:');
  });

  it('should end with one sentence and code 1 when another Keycard holds DATA_DIR', async () => {
    const holder = run();
    const url = await holder.ready;
    const { code, printed } = await runFailing({});
    expect(printed).toMatch(sentence(`is in use by another Keycard process \\(pid ${holder.child.pid}\\)`));
    expect(code).toBe(1);
    expect((await call(url, 'GET /health/ready')).status).toBe(200);
  });

  it('should end with one sentence and code 1 when DATA_DIR cannot be written', async () => {
    const file = path.join(folder.path, 'file');
    await writeFile(file, 'in the way');
    const { code, printed } = await runFailing({ DATA_DIR: path.join(file, 'data') });
    expect(printed).toMatch(sentence('DATA_DIR'));
    expect(code).toBe(1);
  });
});
