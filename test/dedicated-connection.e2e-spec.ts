import { DedicatedConnection } from '../src/database/dedicated-connection.js';
import { waitFor } from './setup/wait-for.js';
import { createTestDatabase, type TestDatabase } from './setup/test-database.js';

describe('A dedicated connection', () => {
  let database: TestDatabase;
  let connection: DedicatedConnection;

  beforeAll(async () => {
    database = await createTestDatabase();
    connection = new DedicatedConnection(database.connection, {
      applicationName: 'renewed',
      timeoutMilliseconds: 5000,
      setup: 'set enable_seqscan = off',
      maxAgeSeconds: 0.1,
    });
  });
  afterAll(async () => {
    await connection.close();
    await database.drop();
  });

  const readProcessId = async () => {
    const [[pid] = [0]] = await connection.query<[number]>({ text: 'select pg_backend_pid()', rowMode: 'array' });
    return pid;
  };
  const countSessions = async () => {
    const text = `select count(*)::int from pg_stat_activity where application_name = 'renewed' and datname = current_database()`;
    const [[count] = [0]] = await connection.query<[number]>({ text, rowMode: 'array' });
    return count;
  };

  it('should be replaced at its maximum age without failing queries or leaking sessions', async () => {
    const seen = new Set<number>();
    await waitFor(async () => {
      // Concurrent, so that the renewal overlaps with queries in flight.
      for (const pid of await Promise.all([readProcessId(), readProcessId()])) seen.add(pid);
      return seen.size >= 5;
    });
    await waitFor(async () => (await countSessions()) === 1);
  });
});
