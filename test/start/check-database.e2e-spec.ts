import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { checkDatabase, detectSharedSessions } from '../../src/database/check-database.js';
import { DatabaseProxy } from '../setup/database-proxy.js';
import { listenOnLastingPort } from '../setup/lasting-port.js';
import { connectionToPort, createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { TransactionPooler } from '../setup/transaction-pooler.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('checkDatabase', () => {
  it('should accept a primary, directly and through a proxy that opens a session for each client', async () => {
    await checkDatabase(database.connection);
    const proxy = await DatabaseProxy.open(database.connection);
    try {
      await checkDatabase(proxy.connection);
    } finally {
      await proxy.close();
    }
  });

  it.each([
    [1, 'last used'],
    [4, 'last used'],
    [2, 'round robin'],
    [4, 'round robin'],
    // As many as the clients that the check uses.
    [5, 'round robin'],
  ] as const)('should refuse a pooler in transaction mode with %i sessions, %s first', async (size, order) => {
    const pooler = await TransactionPooler.open(database.connection, size, order);
    try {
      await expect(checkDatabase(pooler.connection)).rejects.toThrow(
        'DATABASE_URL: a connection pooler in transaction or statement mode gives sessions to several clients. ' +
          'Set it to session mode (PgBouncer: pool_mode = session), or set DATABASE_URL to PostgreSQL itself.',
      );
    } finally {
      await pooler.close();
    }
  });

  it('should report a pooler with too few sessions', async () => {
    const pooler = await TransactionPooler.open(database.connection, 4, 'last used', 'session');
    try {
      await expect(detectSharedSessions({ ...pooler.connection, query_timeout: 500 })).rejects.toThrow(
        'DATABASE_URL: the connection pooler has fewer than 5 free sessions',
      );
    } finally {
      await pooler.close();
    }
  });

  it('should time out on a server that accepts connections and stays silent', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket));
    const port = await listenOnLastingPort(server);
    try {
      await expect(checkDatabase(connectionToPort(port))).rejects.toThrow(
        'DATABASE_URL: PostgreSQL cannot be reached (timeout expired).',
      );
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    }
  });
});
