import { randomBytes } from 'node:crypto';
import { appendFile, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { isRunning } from '../../src/database/embedded-postgres/process-table.js';
import { ServerLog } from '../../src/database/embedded-postgres/server-log.js';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { call } from '../setup/call.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { waitFor } from '../setup/wait-for.js';
import { useClusterCopies } from './copy-cluster.js';
import { createKey } from './create-key.js';
import { runService, type ServiceProcess } from './service-process.js';

const password = 'correct horse battery';

const copyCluster = useClusterCopies();
let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  await copyCluster(folder.path);
});
afterEach(() => folder.remove());

const cluster = () => path.join(folder.path, 'postgresql', 'data');
const serverPid = async () => Number((await readFile(path.join(cluster(), 'postmaster.pid'), 'utf8')).split('\n')[0]);

describe('When the embedded PostgreSQL dies, Keycard', () => {
  let service: ServiceProcess;
  let url: string;
  beforeEach(async () => {
    service = runService({ DATA_DIR: folder.path, ADMIN_PASSWORD: password });
    url = await service.ready;
  });
  afterEach(async () => {
    service.child.kill('SIGTERM');
    await service.exited;
  });

  it('should restart it, respond with 503 until it is back, and recover', async () => {
    const key = await createKey(url, password);
    const listModels = async () => (await call(url, 'GET /v1/models', { token: key })).status;
    for (let crash = 0; crash < 2; crash++) {
      const pid = await serverPid();
      process.kill(pid, 'SIGKILL');
      const seen = new Set<number>();
      await waitFor(async () => {
        seen.add(await listModels());
        return seen.has(503) && (await call(url, 'GET /health/ready')).status === 200 && (await listModels()) === 200;
      });
      expect([...seen].every((status) => status === 200 || status === 503)).toBe(true);
      expect(await serverPid()).not.toBe(pid);
    }
    const log = await readFile(path.join(folder.path, 'postgresql.log'), 'utf8');
    expect(log.match(/database system was not properly shut down/g)).toHaveLength(2);

    const lastPid = await serverPid();
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(isRunning(lastPid)).toBe(false);
  });

  it('should exit with code 1 and the reason if it cannot be restarted', async () => {
    await rename(path.join(cluster(), 'global', 'pg_control'), path.join(cluster(), 'moved'));
    process.kill(await serverPid(), 'SIGKILL');
    expect(await service.exited).toBe(1);
    expect(service.printed()).toMatch(/Keycard stops: The embedded PostgreSQL cannot be kept running: .*pg_control/);
    expect(service.printed()).toContain(path.join(folder.path, 'postgresql.log'));
  });
});

describe('Supervision of the embedded PostgreSQL', () => {
  it('should give up on a server that starts but keeps dying', async () => {
    const messages: string[] = [];
    const log = (_fields: object, message: string) => void messages.push(message);
    let giveUp: (reason: string) => void = () => undefined;
    const givenUp = new Promise<string>((resolve) => (giveUp = resolve));
    const postgres = await startEmbeddedPostgres(folder.path, {
      supervision: { logger: { warn: log, error: log }, onGiveUp: giveUp, attempts: 2, pauseMilliseconds: 1 },
    });
    for (let crash = 1; crash <= 3; crash++) {
      process.kill(await serverPid(), 'SIGKILL');
      if (crash < 3) await waitFor(() => messages.filter((text) => text.includes('again')).length >= crash);
    }
    expect(await givenUp).toContain('It ended shortly after each start');
    await postgres.stop();
  });

  it('should pause for longer before each attempt to restart it', async () => {
    const attemptedAt: number[] = [];
    const log = (_fields: object, message: string) => {
      if (message.includes('could not be restarted')) attemptedAt.push(performance.now());
    };
    const pauseMilliseconds = 100;
    let giveUp: (reason: string) => void = () => undefined;
    const givenUp = new Promise<string>((resolve) => (giveUp = resolve));
    const postgres = await startEmbeddedPostgres(folder.path, {
      supervision: { logger: { warn: log, error: log }, onGiveUp: giveUp, attempts: 3, pauseMilliseconds },
    });
    await rename(path.join(cluster(), 'global', 'pg_control'), path.join(cluster(), 'moved'));
    process.kill(await serverPid(), 'SIGKILL');
    expect(await givenUp).toContain('pg_control');
    const [first = 0, second = 0, third = 0] = attemptedAt;
    expect(second - first).toBeGreaterThanOrEqual(pauseMilliseconds);
    expect(third - second).toBeGreaterThanOrEqual(2 * pauseMilliseconds);
    await postgres.stop();
  });

  it('should not add up crashes with enough uptime in between', async () => {
    const messages: string[] = [];
    const log = (_fields: object, message: string) => void messages.push(message);
    const givenUp: string[] = [];
    const onGiveUp = (reason: string) => void givenUp.push(reason);
    const postgres = await startEmbeddedPostgres(folder.path, {
      supervision: { logger: { warn: log, error: log }, onGiveUp, attempts: 1, stableMilliseconds: 0 },
    });
    for (let crash = 1; crash <= 2; crash++) {
      process.kill(await serverPid(), 'SIGKILL');
      await waitFor(() => messages.filter((text) => text.includes('again')).length >= crash || givenUp.length > 0);
    }
    expect(givenUp).toEqual([]);
    await postgres.stop();
  });

  it('should not count terminated sessions as crashes', async () => {
    const messages: string[] = [];
    const log = (_fields: object, message: string) => void messages.push(message);
    const givenUp: string[] = [];
    const postgres = await startEmbeddedPostgres(folder.path, {
      supervision: { logger: { warn: log, error: log }, onGiveUp: (reason) => givenUp.push(reason), attempts: 1 },
    });
    const pid = await serverPid();
    const client = new pg.Client(postgres.connection);
    await client.connect();
    for (let round = 1; round <= 3; round++) {
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
      await waitFor(() => messages.filter((text) => text.includes('again')).length >= round);
    }
    await client.end();
    expect(givenUp).toEqual([]);
    expect(await serverPid()).toBe(pid);
    await postgres.stop();
  });

  it('should keep neither statements nor row values in the log', async () => {
    const postgres = await startEmbeddedPostgres(folder.path);
    const client = new pg.Client(postgres.connection);
    await client.connect();
    await client.query(`create table secrets (secret text primary key); insert into secrets values ('hidden')`);
    await expect(client.query(`insert into secrets values ('hidden')`)).rejects.toThrow('duplicate key');
    await client.end();
    await postgres.stop();
    const text = await readFile(path.join(folder.path, 'postgresql.log'), 'utf8');
    expect(text).toContain('duplicate key');
    expect(text).not.toContain('hidden');
  });
});

describe('The log of the embedded PostgreSQL', () => {
  it('should be kept bounded while the server runs', async () => {
    const postgres = await startEmbeddedPostgres(folder.path);
    const log = path.join(folder.path, 'postgresql.log');
    await appendFile(log, Buffer.alloc(11 * 1024 * 1024, 'x'));
    await waitFor(async () => (await stat(log)).size < 1024 * 1024);
    await postgres.stop();
  });

  it('should be rotated, keeping one previous file', async () => {
    const log = new ServerLog(folder.path, 1000);
    const read = log.file;
    for (let round = 0; round < 3; round++) {
      await appendFile(read, randomBytes(600).toString('hex'));
      await log.rotate();
      expect((await stat(read)).size).toBe(0);
      expect((await stat(`${read}.1`)).size).toBe(1200);
    }
    await appendFile(read, 'short');
    await log.rotate();
    expect(await readFile(read, 'utf8')).toBe('short');
  });
});
