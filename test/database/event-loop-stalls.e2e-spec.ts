import { createServer, type Server } from 'node:net';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { ContinuousBatcher } from '../../src/common/continuous-batcher.js';
import { DedicatedConnection } from '../../src/database/dedicated-connection.js';
import { FaultTolerantClient } from '../../src/database/fault-tolerant-client.js';
import { DatabaseProxy } from '../setup/database-proxy.js';
import { listenOnLastingPort } from '../setup/lasting-port.js';
import { waitFor } from '../setup/wait-for.js';
import { connectionToPort, createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const limitMilliseconds = 400;
/** Opening a connection takes several round trips. */
const openingLimitMilliseconds = 1000;

/** Blocks this process, timers and sockets included, for longer than the limit. */
function stall(limit = limitMilliseconds): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * limit);
}

const selectOne = { text: 'select 1', rowMode: 'array' } as const;

let database: TestDatabase;
let connection: DedicatedConnection;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  connection = await connectTo(database.connection);
});
afterEach(() => connection.close());

function open(to: DatabaseConnection, timeoutMilliseconds = limitMilliseconds): DedicatedConnection {
  return new DedicatedConnection(to, {
    applicationName: 'stalled',
    timeoutMilliseconds,
    setup: 'set enable_seqscan = off',
  });
}

/** On a busy machine, this may take several attempts. */
async function connectTo(server: DatabaseConnection): Promise<DedicatedConnection> {
  const opened = open(server);
  await waitFor(() =>
    opened.query(selectOne).then(
      () => true,
      () => false,
    ),
  );
  return opened;
}

describe('When this process stalls for longer than a time limit, it', () => {
  it('should still use the response to a query that arrived in time', async () => {
    const queried = connection.query(selectOne);
    stall();
    expect(await queried).toEqual([[1]]);
  });

  it('should still use the response to a query with a callback', async () => {
    const client = new FaultTolerantClient({ ...database.connection, query_timeout: limitMilliseconds });
    await client.connect();
    const queried = new Promise((resolve, reject) => {
      client.query('select 1 as one', (error: Error | null, result) => (error ? reject(error) : resolve(result.rows)));
    });
    stall();
    expect(await queried).toEqual([{ one: 1 }]);
    await client.end();
  });

  it('should still open a connection, despite several round trips', async () => {
    const opening = open(database.connection, openingLimitMilliseconds);
    const queried = opening.query(selectOne);
    stall(openingLimitMilliseconds);
    expect(await queried).toEqual([[1]]);
    await opening.close();
  });

  it('should still process entries waiting for a running batch', async () => {
    const batcher = new ContinuousBatcher<number, DedicatedConnection, unknown>({
      lanes: [connection],
      maxBatchSize: 1,
      maxQueueLength: 10,
      deadlineMilliseconds: limitMilliseconds,
      execute: (lane) => lane.query(selectOne),
    });
    const first = batcher.submit(1);
    const others = [batcher.submit(2), batcher.submit(3)];
    await new Promise((resolve) => setImmediate(resolve));
    stall();
    expect(await Promise.all([first, ...others])).toEqual([[1], [1], [1]]);
  });
});

describe('When a server stays silent, a time limit', () => {
  it.each(['a healthy process', 'a process that stalled'])('should end a query of %s', async (process) => {
    const proxy = await DatabaseProxy.open(database.connection);
    const silent = await connectTo(proxy.connection);
    proxy.silence();
    const queried = silent.query(selectOne);
    if (process !== 'a healthy process') stall();
    await expect(queried).rejects.toThrow('Query read timeout');
    await silent.close();
    await proxy.close();
  });

  it('should end the opening of a connection', async () => {
    const server: Server = createServer();
    const port = await listenOnLastingPort(server);
    const silent = open(connectionToPort(port));
    await expect(silent.query(selectOne)).rejects.toThrow('timeout expired');
    await silent.close();
    server.close();
  });
});
