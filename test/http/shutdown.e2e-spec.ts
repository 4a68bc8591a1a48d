import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { OpenConnections } from '../../src/common/http/open-connections.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import type { TestApp } from '../setup/test-app.js';
import { useAppStarter } from '../setup/use-test-app.js';

const request = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

let database: TestDatabase;
let service: TestApp;
/** Lets requests to `GET /slow` finish. */
let finish: () => void;
/** Requests that reached `POST /count`. */
let counted: number;
let sockets: Client[];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => {
  finish();
  for (const { socket } of sockets) socket.destroy();
});
const startApp = useAppStarter();
beforeEach(async () => {
  const finished = new Promise<void>((resolve) => (finish = resolve));
  counted = 0;
  sockets = [];
  service = await startApp({
    database: database.connection,
    addRoutes: (fastify) => {
      fastify.get('/slow', async () => {
        await finished;
        return 'slow';
      });
      fastify.post('/count', () => String(++counted));
    },
  });
});
afterAll(() => database.drop());

/** A connection that records what it received and how it ended. */
class Client {
  received = '';
  error: Error | undefined;
  readonly ended: Promise<unknown>;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString()));
    socket.on('error', (error) => (this.error = error));
    this.ended = new Promise((resolve) => {
      socket.once('end', resolve);
      socket.once('close', resolve);
    });
  }

  static async open(port = Number(new URL(service.url).port)): Promise<Client> {
    const client = new Client(connect({ host: '127.0.0.1', port, allowHalfOpen: true }));
    sockets.push(client);
    await once(client.socket, 'connect');
    return client;
  }

  async send(text: string): Promise<void> {
    this.socket.write(text);
    await once(this.socket, 'data');
  }
}

async function refusesConnections(port?: number): Promise<boolean> {
  try {
    (await Client.open(port)).socket.destroy();
    return false;
  } catch {
    return true;
  }
}

/** Blocks the event loop, as a large request does. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const isReady = async () => (await call(service.url, 'GET /health/ready')).status === 200;

describe('Stopping the service', () => {
  it('should fail readiness first, and serve requests until the drain ends', async () => {
    const cut = new AbortController();
    const stopped = service.stop({ drainMilliseconds: 60_000 }, cut.signal);
    await waitFor(async () => !(await isReady()));
    const response = await call(service.url, 'GET /health/live');
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    cut.abort();
    await stopped;
    expect(await refusesConnections()).toBe(true);
    const logged = service.logLines.filter((line) => line.includes('Keycard is stopping'));
    for (const line of logged) expect(JSON.parse(line)).not.toHaveProperty('err');
    expect(service.logLines.join('')).not.toMatch(/"level":[3456]0.*Keycard is stopping/);
  });

  it('should close the connection after the response to a request in flight', async () => {
    const client = await Client.open();
    client.socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await call(service.url, 'GET /health/live');
    const stopped = service.stop();
    finish();
    await stopped;
    await client.ended;
    expect(client.received).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*slow$/i);
    expect(client.error).toBeUndefined();
  });

  it('should serve connections that were accepted before the listener closed', async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => Client.open()));
    const stopped = service.stop({ quietMilliseconds: 10_000 });
    await waitFor(() => refusesConnections());
    for (const { socket } of clients) socket.write(request);
    await stopped;
    for (const client of clients) {
      await client.ended;
      expect(client.received).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*connection: close\r\n/i);
      expect(client.error).toBeUndefined();
    }
  });

  it('should serve a request that arrives on an idle connection after the listener closed', async () => {
    const client = await Client.open();
    await client.send(request);
    client.received = '';
    const stopped = service.stop({ quietMilliseconds: 10_000 });
    await waitFor(() => refusesConnections());
    client.socket.write(request);
    await stopped;
    await client.ended;
    expect(client.received).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*connection: close\r\n/i);
    expect(client.error).toBeUndefined();
  });

  it('should serve connections that the operating system has accepted but Node has not', async () => {
    // The system accepts the connections while this thread is busy. Node accepts them in a later turn.
    const clients = Array.from({ length: 50 }, () => Client.open());
    const stopped = service.stop({ quietMilliseconds: 10_000 });
    for (const client of await Promise.all(clients)) client.socket.write(request);
    await stopped;
    for (const client of await Promise.all(clients)) {
      await client.ended;
      expect(client.received).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    }
  });

  it.each([1, 2, 3, 4])(
    'should serve a connection that arrives at the end of busy turn %i of the event loop',
    async (last) => {
      let opening: Promise<Client> | undefined;
      let turn = 0;
      const work = () => {
        block(5);
        if (++turn < last) setImmediate(work);
        else opening = Client.open();
      };
      // Runs before the shutdown in each turn.
      setImmediate(work);
      const stopped = service.stop({ quietMilliseconds: 10_000 });
      await waitFor(() => opening !== undefined);
      const client = await opening;
      client?.socket.write(request);
      await stopped;
      await client?.ended;
      expect(client?.received).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    },
  );

  it('should track the connections of each IP address it listens on', async () => {
    const server: Server = service.app.getHttpServer();
    const port = await OpenConnections.of(server).listenAlso('127.0.0.1', 0);
    const [busy, idle] = [await Client.open(port), await Client.open(port)];
    await idle.send(request);
    busy.socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await call(service.url, 'GET /health/live');
    const stopped = service.stop();
    await idle.ended;
    expect(await refusesConnections(port)).toBe(true);
    expect(busy.received).toBe('');
    finish();
    await stopped;
    await busy.ended;
    expect(busy.received).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*slow$/i);
    expect([busy.error, idle.error]).toEqual([undefined, undefined]);
  });

  it('should end idle connections without a reset, and serve no request that arrives on them later', async () => {
    const client = await Client.open();
    await client.send(request);
    const stopped = service.stop();
    await client.ended;
    client.received = '';
    client.socket.write('POST /count HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
    await stopped;
    expect(counted).toBe(0);
    expect(client.received).toBe('');
    expect(client.error).toBeUndefined();
  });

  it('should cut off requests that take longer than allowed', async () => {
    const client = await Client.open();
    client.socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await call(service.url, 'GET /health/live');
    await service.stop({ stopMilliseconds: 50 });
    await client.ended;
    expect(client.received).toBe('');
    expect(service.logLines.join('')).toContain('Requests still in flight were cut off.');
  });

  it('should cut off requests in flight when the signal aborts', async () => {
    const client = await Client.open();
    client.socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await call(service.url, 'GET /health/live');
    const cut = new AbortController();
    const stopped = service.stop({ drainMilliseconds: 60_000, stopMilliseconds: 60_000 }, cut.signal);
    cut.abort();
    await stopped;
    await client.ended;
    expect(client.received).toBe('');
  });
});

describe('Listening on localhost', () => {
  it('should serve each of its IP addresses with the same HTTP server', async () => {
    const { app, url: localUrl } = await startApp({ database: database.connection, host: 'localhost' });
    const server: Server = app.getHttpServer();
    let served = 0;
    server.on('request', () => served++);
    const addresses = await lookup('localhost', { all: true });
    for (const { address, family } of addresses) {
      const url = localUrl.replace(/\/\/.*:/, family === 6 ? `//[${address}]:` : `//${address}:`);
      expect((await call(url, 'GET /health/live')).status).toBe(200);
    }
    expect(served).toBe(addresses.length);
  });
});
