import { once } from 'node:events';
import { type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { defaultHttpLimits } from '../../src/common/http/http-limits.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { OpenConnections } from '../../src/common/http/open-connections.js';
import { call } from '../setup/call.js';
import { useRawClients } from '../setup/raw-client.js';
import type { TestApp } from '../setup/test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { respondWithEmbeddings, startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';

const megabyte = 1024 * 1024;
const payload = Buffer.alloc(32 * megabyte, 'x');

/** `/large` and `/medium` have large responses. `/late` responds after the idle limit. */
const addRoutes = (fastify: FastifyInstance) => {
  fastify.get('/medium', () => payload.subarray(0, 12 * megabyte));
  fastify.get('/large', () => payload);
  fastify.get('/late', () => once(fastify.server, 'timeout').then(() => 'late'));
};

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});
const startApp = useAppStarter();

/** Sends a request without reading the response. */
async function request(url: string, route: string, { key = '', body = '', previous = '' } = {}): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  open.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (previous !== '') socket.write(`${previous} HTTP/1.1\r\nhost: keycard\r\n\r\n`);
  const headers = ['host: keycard', `x-api-key: ${key}`, 'content-type: application/json'];
  if (body !== '') headers.push(`content-length: ${body.length}`);
  socket.write(`${route} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

/** Reads a response and returns whether all of it arrived before the connection was closed. */
async function receivesAll(socket: Socket, bodyBytes: number): Promise<boolean> {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
  await waitFor(() => bytes > bodyBytes || socket.closed);
  return bytes > bodyBytes;
}

const countConnections = ({ app }: TestApp) => {
  const server: Server = app.getHttpServer();
  return promisify(server.getConnections.bind(server))();
};

/** Waits until this number of clients is disconnected, counted since the log was emptied. */
const untilDisconnected = ({ logLines }: TestApp, clients: number) =>
  waitFor(() => logLines.filter((line) => line.includes('stopped reading its response')).length >= clients);

const untilConnections = (service: TestApp, most: number) =>
  waitFor(async () => (await countConnections(service)) <= most);

describe('A client that does not read its response', () => {
  let upstream: Upstream;
  let key: string;

  const service = useTestApp(async () => {
    upstream = await startUpstream();
    const models = [upstreamModel([{ baseUrl: upstream.baseUrl, timeoutSeconds: 3 }])];
    return {
      config: { models, http: { reader: { ...defaultHttpLimits.reader, idleMilliseconds: 5000 } } },
      addRoutes,
    };
  });
  beforeAll(async () => {
    key = (await createApiKey(service, await createMember(service))).key;
  });
  beforeEach(() => {
    service.logLines.length = 0;
  });
  afterAll(() => upstream.stop());

  /** Responds with 40 MB as fast as they are read, and resolves when the connection closes. */
  async function respondLarge(response: ServerResponse): Promise<void> {
    const closed = once(response, 'close');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"data":[');
    const chunk = Buffer.from('0.0123456789,'.repeat(80_000));
    for (let written = 0; written < 40 * megabyte && !response.destroyed; written += chunk.length) {
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed]);
    }
    if (!response.destroyed) response.end('1]}');
    await closed;
  }

  /** Writes until the gateway stops reading for many turns of the shared event loop. */
  async function untilStalled(response: ServerResponse): Promise<void> {
    const chunk = Buffer.from('0.0123456789,'.repeat(80_000));
    for (let before = 0, unchanged = 0; unchanged < 25; before = response.writableLength) {
      if (response.writableLength < chunk.length) response.write(chunk);
      await delay(20);
      unchanged = response.writableLength === before ? unchanged + 1 : 0;
    }
  }

  it.each([
    ['its only request', ''],
    ['a pipelined request', 'GET /large'],
  ])('should not open the circuit of a healthy upstream with %s, and be disconnected', async (_title, previous) => {
    const ends: Promise<void>[] = [];
    upstream.respond = (response) => void ends.push(respondLarge(response));
    const body = '{"model":"small","input":"a"}';
    for (let client = 0; client < 6; client += 1) {
      await request(service.url, 'POST /v1/embeddings', { key, body, previous });
    }
    await waitFor(() => ends.length === 6);
    await Promise.all(ends);
    upstream.respond = respondWithEmbeddings();
    const response = await call(service.url, 'POST /v1/embeddings', { token: key, body: JSON.parse(body) });
    expect(response.status).toBe(200);
    expect(service.logLines.join('')).not.toContain('did not respond');
  });

  it.each([
    ['stay unread', false],
    ['are read later', true],
  ])('should not open the circuit when the upstream closes connections that %s', async (_title, areReadLater) => {
    let stalls = 0;
    upstream.respond = async (response) => {
      response.on('error', () => undefined);
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":[');
      await untilStalled(response);
      stalls += 1;
      response.destroy();
    };
    const body = '{"model":"small","input":"a"}';
    const sockets: Socket[] = [];
    for (let client = 0; client < 6; client += 1) {
      sockets.push(await request(service.url, 'POST /v1/embeddings', { key, body }));
    }
    await waitFor(() => stalls === 6);
    if (areReadLater) await waitFor(() => sockets.every((socket) => socket.resume().closed));
    else await untilDisconnected(service, 6);
    upstream.respond = respondWithEmbeddings();
    expect((await call(service.url, 'POST /v1/embeddings', { token: key, body: JSON.parse(body) })).status).toBe(200);
  });

  it('should be disconnected on any route', async () => {
    await request(service.url, 'GET /large');
    await untilDisconnected(service, 1);
  });

  it('should get the whole response while it keeps reading, even if that takes longer than the limit', async () => {
    const socket = await request(service.url, 'GET /large');
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    for (let step = 1; step <= 20; step += 1) {
      socket.resume();
      while (bytes < step * megabyte) await once(socket, 'data');
      socket.pause();
      await delay(220);
    }
    socket.resume();
    while (bytes < payload.length) await once(socket, 'data');
  });

  it('should be distinguished from one whose request takes longer than the limit', async () => {
    expect((await call(service.url, 'GET /late')).text).toBe('late');
  });
});

describe('Clients that together leave too much data unread', () => {
  it('should be disconnected, the largest first and no more than necessary', async () => {
    const reader = { ...defaultHttpLimits.reader, unsentBytes: 48 * megabyte };
    const service = await startApp({ config: { http: { reader } }, addRoutes });
    const medium = await request(service.url, 'GET /medium');
    const large = [await request(service.url, 'GET /large'), await request(service.url, 'GET /large')];
    await waitFor(() => service.logLines.join('').includes('response bytes were unsent'));
    await untilConnections(service, 2);
    expect(await receivesAll(medium, 12 * megabyte)).toBe(true);
    const areComplete = await Promise.all(large.map((socket) => receivesAll(socket, payload.length)));
    expect(areComplete.filter(Boolean)).toHaveLength(1);
  });
});

describe('An idle connection between two requests', () => {
  const connect = useRawClients();

  it('should be closed after the keep-alive timeout', async () => {
    const shorten = ({ server }: FastifyInstance) => void (server.keepAliveTimeout = 50);
    const client = await connect(await startApp({ addRoutes: shorten }));
    await client.write('GET /health/live HTTP/1.1\r\nhost: keycard\r\n\r\n');
    expect((await client.response()).status).toBe(200);
    await client.end();
    expect(client.failure).toBeUndefined();
  });
});

describe('A connection beyond MAX_CONNECTIONS', () => {
  it('should be closed immediately on every IP address', async () => {
    const service = await startApp({ config: { maxConnections: 1 } });
    const port = await OpenConnections.of(service.app.getHttpServer()).listenAlso('127.0.0.1', 0);
    const url = `http://127.0.0.1:${port}`;
    await request(url, 'GET /health/live');
    await waitFor(
      async () =>
        !(await fetch(`${url}/health/live`).then(
          () => true,
          () => false,
        )),
    );
    expect(service.logLines.join('')).toContain('MAX_CONNECTIONS is 1');
  });

  it('should be closed immediately until another one ends', async () => {
    const service = await startApp({ config: { maxConnections: 2 } });
    const first = await request(service.url, 'GET /health/live');
    await request(service.url, '');
    await expect(fetch(`${service.url}/health/live`)).rejects.toThrow();
    expect(service.logLines.join('')).toContain('MAX_CONNECTIONS is 2');
    first.destroy();
    await untilConnections(service, 1);
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  });
});
