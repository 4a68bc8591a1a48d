import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { becomeHolder, connectionTo, type HolderOutcome } from '../../src/database/embedded-postgres/holder.js';
import { stopPostmaster } from '../../src/database/embedded-postgres/postmaster.js';
import { isRunning } from '../../src/database/embedded-postgres/process-table.js';
import { systemFolder } from '../../src/database/embedded-postgres/server-home.js';
import { canEnter, canRun, identityOf, parsePasswd } from '../../src/database/embedded-postgres/server-user.js';
import { socketPort } from '../../src/database/embedded-postgres/socket-directory.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { waitFor } from '../setup/wait-for.js';
import { useClusterCopies } from './copy-cluster.js';
import { connect, query, serverPid, startupError } from './embedded-server.js';
import { HolderProcess } from './held-by-process.js';

const isRoot = process.getuid?.() === 0;
const nobody = parsePasswd(readFileSync('/etc/passwd', 'utf8')).find(({ name }) => name === 'nobody');

const copyCluster = useClusterCopies();
let folder: string;
let cleanups: (() => Promise<unknown> | void)[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keycard-test-'));
  chmodSync(folder, 0o755);
  cleanups = [];
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  rmSync(folder, { recursive: true, force: true });
});

async function start(dataDirectory: string, options?: { shared?: boolean }): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(dataDirectory, options);
  cleanups.push(() => postgres.stop());
  return postgres;
}

function startHolder(...parameters: ConstructorParameters<typeof HolderProcess>): HolderProcess {
  const holder = new HolderProcess(...parameters);
  cleanups.push(() => holder.crash());
  return holder;
}

async function expectRowsKept(dataDirectory: string, holder: HolderProcess): Promise<void> {
  const postgres = await start(dataDirectory);
  const rows = await query<{ number: number }>(postgres, 'SELECT number FROM numbers');
  const kept = new Set(rows.map(({ number }) => number));
  expect(holder.acknowledged.filter((number) => !kept.has(number))).toEqual([]);
}

describe('An embedded PostgreSQL held by one process', () => {
  it('should keep its data between starts', async () => {
    const first = await start(folder);
    await query(first, "CREATE TABLE words AS SELECT 'grün' AS word");
    await first.stop();
    const second = await start(folder);
    expect(await query(second, 'SELECT word FROM words')).toEqual([{ word: 'grün' }]);
  });

  it('should use UTF-8 and UTC, without a locale or network port', async () => {
    const postgres = await start(folder);
    const [settings] = await query(
      postgres,
      `SELECT current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
              current_setting('lc_messages') AS locale, current_setting('listen_addresses') AS addresses`,
    );
    expect(settings).toEqual({ encoding: 'UTF8', zone: 'UTC', locale: 'C', addresses: '' });
    expect(statSync(postgres.connection.host).mode & 0o777).toBe(0o700);
  });

  it('should require the password, which only its user can read', async () => {
    const { connection } = await start(folder);
    await expect(connect({ ...connection, password: 'guessed' })).rejects.toMatchObject({ code: '28P01' });
    const file = path.join(connection.host, '..', 'password');
    expect(readFileSync(file, 'utf8')).toBe(connection.password);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(connect(connection)).resolves.toBe('scram-sha-256');
  });

  it('should require a password after an upgrade from a release without one', async () => {
    await copyCluster(folder);
    const before = await start(folder);
    await query(before, 'CREATE TABLE words AS SELECT 1 AS word');
    await query(before, 'ALTER ROLE keycard PASSWORD NULL');
    await before.stop();
    // The state left by an earlier release.
    const rules = path.join(before.connection.host, '..', 'data', 'pg_hba.conf');
    writeFileSync(rules, readFileSync(rules, 'utf8').replaceAll('scram-sha-256', 'trust'));
    rmSync(path.join(before.connection.host, '..', 'password'));
    const owner = statSync(rules).uid;

    const after = await start(folder);
    expect(after.connection.password).not.toBe(before.connection.password);
    expect(await query(after, 'SELECT word FROM words')).toEqual([{ word: 1 }]);
    await expect(connect(before.connection)).rejects.toMatchObject({ code: '28P01' });
    expect(readFileSync(rules, 'utf8')).not.toMatch(/^[^#]*\btrust\b/m);
    expect(statSync(rules).uid).toBe(owner);
  });

  it('should explain how to recover a lost password', async () => {
    await copyCluster(folder);
    const postgres = await start(folder);
    await postgres.stop();
    writeFileSync(path.join(postgres.connection.host, '..', 'password'), 'another');
    expect(await startupError(folder)).toMatch(/rejects the password in .*postgresql\/password: restore that file/);
  });

  it('should work in a path with spaces, a comma and quotes', async () => {
    const postgres = await start(path.join(folder, `my "data", here's`));
    expect(await query(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('should work in a path too long for a socket', async () => {
    const dataDirectory = path.join(folder, 'long'.repeat(40));
    const postgres = await start(dataDirectory);
    cleanups.unshift(() => rmSync(postgres.connection.host, { recursive: true, force: true }));
    expect(postgres.connection.host.startsWith(dataDirectory)).toBe(false);
    expect(statSync(postgres.connection.host).mode & 0o777).toBe(0o700);
    expect(await query(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('should find its data again if PostgreSQL cannot access DATA_DIR', async () => {
    chmodSync(folder, 0o700);
    const dataDirectory = path.join(folder, 'data');
    const first = await start(dataDirectory);
    const home = path.dirname(first.connection.host);
    if (isRoot) cleanups.unshift(() => rmSync(home, { recursive: true, force: true }));
    expect(path.dirname(home)).toBe(isRoot ? systemFolder : dataDirectory);
    await query(first, 'CREATE TABLE kept AS SELECT 1 AS one');
    await first.stop();
    chmodSync(folder, 0o755);
    const second = await start(dataDirectory);
    expect(await query(second, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    expect(existsSync(path.join(dataDirectory, 'postgresql-is-elsewhere.txt'))).toBe(isRoot);
  });

  it('should run as an ordinary user and end with its process', async () => {
    const build = path.dirname(import.meta.dirname);
    const canSwitch = isRoot && canRun(process.execPath, nobody) && canEnter(build, nobody);
    chmodSync(folder, 0o777);
    const holder = startHolder(path.join(folder, 'data'), canSwitch ? nobody : undefined);
    const pid = serverPid(await holder.printed('cluster'));
    await holder.printed('acknowledged');
    expect(await holder.stop()).toBe(0);
    expect(isRunning(pid)).toBe(false);
  });
});

describe('Several processes on one DATA_DIR', () => {
  it('should reject the second in one sentence naming the first', async () => {
    await copyCluster(folder);
    const holder = startHolder(folder);
    await holder.printed('cluster');
    const message = await startupError(folder);
    expect(message).toContain(folder);
    expect(message).toContain(`pid ${holder.pid}`);
  });

  it('should let exactly one of two concurrent first starts succeed', async () => {
    const holders = [startHolder(folder), startHolder(folder)];
    const outcomes = await Promise.all(
      holders.map((holder) =>
        Promise.race([holder.printed('acknowledged').then(() => 'won'), holder.printed('failed')]),
      ),
    );
    const inUse: unknown = expect.stringContaining('is in use by another Keycard process');
    expect(outcomes.sort()).toEqual([inUse, 'won']);
  });

  it('should leave the server running if another process holds it before the one that launched it', async () => {
    const launcher = startHolder(folder);
    const cluster = path.join(folder, 'postgresql', 'data');
    await waitFor(() => existsSync(path.join(cluster, 'postmaster.pid')) && serverPid(cluster) > 0);
    launcher.pause();
    const pid = serverPid(cluster);
    cleanups.push(() => stopPostmaster(cluster, pid));
    const connection = connectionTo(path.join(folder, 'postgresql', 'run'), socketPort, '');
    let outcome: HolderOutcome | undefined;
    await waitFor(async () => {
      outcome = await becomeHolder(connection).catch(() => undefined);
      return outcome !== undefined;
    });
    expect(outcome).toHaveProperty('release');
    launcher.resume();
    expect(await launcher.printed('failed')).toContain(`is in use by another Keycard process (pid ${process.pid})`);
    await launcher.ended();
    // A server that shuts down would end this session.
    expect(await query({ connection }, 'SELECT pg_sleep(0.5) IS NOT NULL AS stayed')).toEqual([{ stayed: true }]);
  });

  it('should let a tool connect and leave the server running', async () => {
    await copyCluster(folder);
    const service = await start(folder);
    const tool = await start(folder, { shared: true });
    expect(tool.connection).toEqual(service.connection);
    await tool.stop();
    expect(await query(service, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('should let a tool start and stop the server if no service runs', async () => {
    await copyCluster(folder);
    const tool = await start(folder, { shared: true });
    await tool.stop();
    await expect(query(tool, 'SELECT 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/);
  });
});

describe('After a crash, a start', () => {
  it("should take over a killed Keycard's server with every acknowledged row", async () => {
    await copyCluster(folder);
    const holder = startHolder(folder);
    const cluster = await holder.printed('cluster');
    await holder.printed('acknowledged');
    const pid = serverPid(cluster);
    await holder.crash();
    await expectRowsKept(folder, holder);
    expect(serverPid(cluster)).toBe(pid);
  });

  it('should recover a killed server with every acknowledged row', async () => {
    await copyCluster(folder);
    const holder = startHolder(folder);
    const cluster = await holder.printed('cluster');
    await holder.printed('acknowledged');
    process.kill(serverPid(cluster), 'SIGKILL');
    await holder.crash();
    await expectRowsKept(folder, holder);
  });

  it("should not problem another process with a killed server's pid for that server", async () => {
    await copyCluster(folder);
    const holder = startHolder(folder);
    const cluster = await holder.printed('cluster');
    await holder.printed('acknowledged');
    const pidFile = path.join(cluster, 'postmaster.pid');
    const pid = serverPid(cluster);
    process.kill(pid, 'SIGKILL');
    await holder.crash();
    const { uid, gid } = statSync(cluster);
    const stranger = spawn('/bin/sh', ['-c', 'echo started; read -r line'], {
      ...identityOf({ uid, gid, name: '' }),
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    cleanups.push(() => void stranger.kill('SIGKILL'));
    await once(stranger.stdout, 'data');
    for (const file of [pidFile, path.join(cluster, '..', 'run', '.s.PGSQL.5432.lock')]) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(`${pid}\n`, `${stranger.pid}\n`));
    }
    await expectRowsKept(folder, holder);
  });
});

describe('An unusable DATA_DIR', () => {
  it('should be rejected if it is a file', async () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect(await startupError(file)).toContain(`DATA_DIR (${file}) cannot be used`);
  });

  it('should be rejected if it cannot be written', async () => {
    chmodSync(folder, 0o500);
    cleanups.push(() => chmodSync(folder, 0o700));
    // Root can write everywhere except to the kernel's folders.
    const dataDirectory = isRoot ? '/proc/keycard' : path.join(folder, 'data');
    expect(await startupError(dataDirectory)).toContain(`DATA_DIR (${dataDirectory}) cannot be used`);
  });

  it('should be rejected if it belongs to another major version of PostgreSQL', async () => {
    await copyCluster(folder);
    const postgres = await start(folder);
    const version = path.join(postgres.connection.host, '..', 'data', 'PG_VERSION');
    await postgres.stop();
    writeFileSync(version, '15\n');
    expect(await startupError(folder)).toMatch(
      /a PostgreSQL 15 database, and this Keycard release uses PostgreSQL \d+/,
    );
  });
});
