import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { DedicatedConnection } from '../../src/database/dedicated-connection.js';
import { listenOnLastingPort } from '../setup/lasting-port.js';
import { waitFor } from '../setup/wait-for.js';
import { connectionToPort, createTestDatabase, type TestDatabase } from '../setup/test-database.js';

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

  it('should be replaced after a query timed out', async () => {
    const other = new DedicatedConnection(database.connection, {
      applicationName: 'timed out',
      timeoutMilliseconds: 1000,
      setup: 'set enable_seqscan = off',
    });
    const query = (text: string) => other.query({ text, rowMode: 'array' });
    await query('select 1');
    await expect(query('select pg_sleep(600)')).rejects.toThrow('Query read timeout');
    expect(await query('select 1')).toEqual([[1]]);
    await other.close();
  });

  it('should give up on a server that accepts connections and stays silent', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket));
    const port = await listenOnLastingPort(server);
    const other = new DedicatedConnection(connectionToPort(port), {
      applicationName: 'silent',
      timeoutMilliseconds: 50,
      setup: 'select 1',
    });
    await expect(other.query({ text: 'select 1', rowMode: 'array' })).rejects.toThrow('timeout expired');
    await other.close();
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
});
