import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { toAppError } from '../../src/common/errors/to-app-error.js';
import type { TestApp } from '../setup/test-app.js';
import { DatabaseProxy } from '../setup/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const socketTable = '/proc/net/tcp';
/** The state of a connected socket, and the timer of one that waits for nothing but the next keep-alive probe. */
const [established, keepAliveTimer] = ['01', '02'];

let database: TestDatabase;
let proxy: DatabaseProxy;
let observer: pg.Client;

const service = useTestApp(async () => {
  database = await createTestDatabase();
  proxy = await DatabaseProxy.open(database.connection);
  return { database: proxy.connection };
});
const startApp = useAppStarter();
beforeAll(async () => {
  observer = new pg.Client(database.connection);
  await observer.connect();
});
afterEach(() => waitFor(poolHasRecovered));
afterAll(async () => {
  await observer.end();
  await proxy.close();
  await database.drop();
});

const moreThanPooled = 20;
const queryAllConnections = <Row>(app: TestApp, sql: string) =>
  Promise.all(Array.from({ length: moreThanPooled }, () => app.query<Row>(sql)));

/** Whether all connections work. Those that the proxy cut fail until the pool notices. */
const poolHasRecovered = () =>
  queryAllConnections(service, 'select 1').then(
    () => true,
    () => false,
  );

const countSessions = async (condition: string) =>
  (await observer.query(`select from pg_stat_activity where datname = current_database() and ${condition}`)).rowCount;

describe('A database connection for management requests', () => {
  it('should limit how long a lock and an abandoned transaction are waited for, but no statement', async () => {
    const [settings] = await service.query(
      `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
         current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(settings).toEqual({ lock: '3s', statement: '0', idle: '10s' });
  });

  it('should be closed after a query timed out, so that the next request does not wait for it', async () => {
    const impatient = await startApp({ database: { ...database.connection, query_timeout: 3000 } });
    await expect(impatient.query('select pg_sleep(600)')).rejects.toThrow('Query read timeout');
    await queryAllConnections(impatient, 'select 1');
  });

  it('should be closed if it was released within a transaction', async () => {
    const runner = service.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query(`set application_name = 'abandoned'`);
    await runner.release();
    const readName = `select current_setting('application_name') as name`;
    const rows = (await queryAllConnections<{ name: string }>(service, readName)).flat();
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(['keycard']));
  });

  it('should be replaced if it was lost unnoticed before its first statement', async () => {
    await queryAllConnections(service, 'select 1');
    proxy.breakOnUse();
    const since = performance.now();
    await waitFor(() => performance.now() - since > 1000);
    await service.app.get(DataSource).transaction((manager) => manager.query('select 1'));
    await queryAllConnections(service, 'select 1');
  });

  it('should end its statement in PostgreSQL soon after it was lost', async () => {
    const sleeping = `query = 'select pg_sleep(600)'`;
    const outcome = service.query('select pg_sleep(600)').catch(toAppError);
    await waitFor(async () => (await countSessions(sleeping)) === 1);
    proxy.cut();
    // Its message depends on whether the end or the reset of the connection is noticed first.
    expect(await outcome).toMatchObject({ code: 'database-unavailable' });
    await waitFor(async () => (await countSessions(sleeping)) === 0);
  });

  (existsSync(socketTable) ? it : it.skip)('should be probed by the operating system while it is idle', async () => {
    await service.query('select 1');
    const port = (proxy.connection.port ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const rows = (await readFile(socketTable, 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
    const timers = rows
      .filter(([, , remote = '', state]) => remote.endsWith(`:${port}`) && state === established)
      .map(([, , , , , timer = '']) => timer.split(':')[0]);
    expect(timers).toContain(keepAliveTimer);
  });
});

describe('A transaction', () => {
  it('should fail if PostgreSQL rolled it back although every error was handled', async () => {
    const change = service.app.get(DataSource).transaction(async (manager) => {
      await manager.query('select 1 / 0').catch(() => undefined);
    });
    await expect(change).rejects.toMatchObject({ code: 'database-unavailable' });
  });

  it('should fail as unavailable if its connection was lost between two statements', async () => {
    const change = service.app.get(DataSource).transaction(async (manager) => {
      await manager.query('select 1');
      proxy.cut();
      await waitFor(() => manager.queryRunner?.isReleased === true);
      await manager.query('select 1');
    });
    expect(toAppError(await change.catch((error: unknown) => error))).toMatchObject({ code: 'database-unavailable' });
  });
});
