import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import OpenAI from 'openai';
import { bodyMemoryBytes } from '../../src/ai-gateway/tasks/ocr/body/document-limit.js';
import { BodyMemory } from '../../src/common/http/body-memory.js';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { AppError } from '../../src/common/errors/app-error.js';
import type { ErrorCode } from '../../src/common/errors/error-catalog.js';
import { defaultHttpLimits } from '../../src/common/http/http-limits.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { type RawClient, useRawClients } from '../setup/raw-client.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const megabyte = 1024 * 1024;
const chunk = Buffer.alloc(megabyte, ' ');
const json = 'content-type: application/json\r\n';

const service = useTestApp({ addRoutes: addRejectingRoutes });
const startApp = useAppStarter();
let key: string;
let token: string;
const connect = useRawClients();
const open = (to = service) => connect(to);

beforeAll(async () => {
  const member = await createMember(service);
  ({ token } = member);
  ({ key } = await createApiKey(service, member));
});

/** Adds `POST /v1/reject/403` and others, which reject requests before reading the body. */
function addRejectingRoutes(fastify: FastifyInstance): void {
  const codes: ErrorCode[] = ['missing-permission', 'unsupported-media-type', 'too-many-requests'];
  for (const code of codes) {
    const error = new AppError(code, 'Rejected before the body is read.');
    fastify.post(`/v1/reject/${error.status}`, { onRequest: (_request, _reply, done) => done(error) }, () => '');
  }
}

const head = (route: string, headers: string, bytes: number) =>
  `${route} HTTP/1.1\r\nhost: keycard\r\n${headers}content-length: ${bytes}\r\n\r\n`;
const chunkedHead = (route: string, headers: string) =>
  `${route} HTTP/1.1\r\nhost: keycard\r\n${headers}transfer-encoding: chunked\r\n\r\n`;
const asChunk = (data: Buffer) =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);

describe('A rejection sent before the body has arrived', () => {
  const withKey = () => `x-api-key: ${key}\r\n`;
  const withToken = () => `authorization: Bearer ${token}\r\n`;
  const cases: [status: number, what: string, route: string, headers: () => string][] = [
    [401, 'a wrong key', 'POST /v1/embeddings', () => `x-api-key: ${generateApiKey()}\r\n${json}`],
    [401, 'no key and a form', 'POST /v1/ocr', () => 'content-type: multipart/form-data; boundary=x\r\n'],
    [413, 'a large management body', 'POST /api-keys', () => withToken() + json],
    [413, 'a large embeddings body', 'POST /v1/embeddings', () => withKey() + json],
    [415, 'plain text', 'POST /auth/sign-in', () => 'content-type: text/plain\r\n'],
    [415, 'plain text for a model', 'POST /v1/embeddings', () => `${withKey()}content-type: text/plain\r\n`],
    [404, 'an unknown route', 'POST /v1/files', () => 'content-type: multipart/form-data; boundary=x\r\n'],
    [400, 'a malformed URL', 'POST /api-keys/%zz', () => withToken() + json],
    [401, 'a body where none is expected', 'GET /api-keys', () => json],
  ];

  it.each(cases)(
    'should reach a client that writes 12 MB first with %i for %s',
    async (status, _what, route, headers) => {
      const client = await open();
      await client.writeAll(head(route, headers(), 12 * megabyte), chunk, 12);
      const response = await client.response();
      expect(response.status).toBe(status);
      expect(response.headers).toMatchObject({ connection: 'close', 'x-request-id': expect.any(String) as string });
      await client.end();
      expect(client.failure).toBeUndefined();
    },
  );

  it.each(cases)(
    'should reach a client that writes 12 MB in chunks with %i for %s',
    async (status, _what, route, headers) => {
      const client = await open();
      await client.writeAll(chunkedHead(route, headers()), asChunk(chunk), 12);
      const response = await client.response();
      expect(response.status).toBe(status);
      expect(response.headers).toMatchObject({ connection: 'close' });
      expect(client.failure).toBeUndefined();
    },
  );

  it.each(['connection: close\r\n', 'connection: close\r\nexpect: 100-continue\r\n'])(
    'should reach a client that sends %j and writes first',
    async (headers) => {
      const client = await open();
      await client.writeAll(head('POST /v1/embeddings', headers + json, 12 * megabyte), chunk, 12);
      expect(await client.response()).toMatchObject({ status: 401, interim: [] });
      expect(client.failure).toBeUndefined();
    },
  );

  it('should keep the connection if the body is small', async () => {
    const client = await open();
    const request = `${head('POST /v1/embeddings', json, 2)}{}`;
    await client.write(request + request);
    expect((await client.response()).status).toBe(401);
    expect((await client.response()).status).toBe(401);
    expect(client.hasEnded).toBe(false);
  });

  it('should not respond to a request that follows on a connection announced as closed', async () => {
    const client = await open();
    const expecting = `${json}expect: 100-continue\r\n`;
    const second = head('GET /health/live', '', 0);
    await client.write(`${head('POST /v1/embeddings', expecting, 2)}{}${second}`);
    expect((await client.response()).status).toBe(401);
    await client.end();
    expect(client.text).toBe('');
  });
});

describe('A rejection of a large body', () => {
  const large = 3 * megabyte;
  const formOf = (bytes: number) => {
    const form = new FormData();
    form.set('file', new Blob([Buffer.alloc(bytes)]), 'document.pdf');
    return form;
  };
  const jsonOf = (bytes: number) =>
    new Blob([JSON.stringify({ input: 'x'.repeat(bytes) })], { type: 'application/json' });

  it.each<[status: number, route: string, kind: string, body: () => Blob | FormData]>([
    [401, '/v1/embeddings', 'JSON', () => jsonOf(large)],
    [401, '/v1/ocr', 'a form', () => formOf(large)],
    [403, '/v1/reject/403', 'JSON', () => jsonOf(large)],
    [403, '/v1/reject/403', 'a form', () => formOf(large)],
    [404, '/v1/files', 'JSON', () => jsonOf(large)],
    [404, '/v1/files', 'a form', () => formOf(large)],
    [413, '/v1/embeddings', 'JSON', () => jsonOf(11 * megabyte)],
    [413, '/v1/ocr', 'a form', () => formOf(81 * megabyte)],
    [415, '/v1/reject/415', 'JSON', () => jsonOf(large)],
    [415, '/v1/embeddings', 'a form', () => formOf(large)],
    [429, '/v1/reject/429', 'JSON', () => jsonOf(large)],
    [429, '/v1/reject/429', 'a form', () => formOf(large)],
    [503, '/v1/embeddings', 'JSON', () => jsonOf(large)],
    [503, '/v1/ocr', 'a form', () => formOf(large)],
  ])('should reach fetch with %i from %s for %s, announced and chunked', async (status, route, _kind, body) => {
    const memory = service.app.get(BodyMemory).open();
    if (status === 503) memory.take(bodyMemoryBytes);
    const authorization = `Bearer ${status === 401 ? generateApiKey() : key}`;
    try {
      for (const isChunked of [false, true, false, true]) {
        const request = new Request(service.url + route, { method: 'POST', headers: { authorization }, body: body() });
        const response = await fetch(
          isChunked ? new Request(request, { body: request.body, duplex: 'half' }) : request,
        );
        expect([response.status, await response.json()]).toEqual([status, expect.any(Object)]);
      }
    } finally {
      memory.release();
    }
  });

  it('should reach the OpenAI client', async () => {
    const send = (apiKey: string, bytes: number) => {
      const client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey, maxRetries: 0 });
      return client.embeddings.create({ model: 'any', input: 'x'.repeat(bytes) });
    };
    await expect(send(generateApiKey(), 9 * megabyte)).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(send(key, 9 * megabyte)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(send(key, 12 * megabyte)).rejects.toMatchObject({ status: 413 });
    const memory = service.app.get(BodyMemory).open();
    memory.take(bodyMemoryBytes);
    await expect(send(key, 9 * megabyte).finally(() => memory.release())).rejects.toMatchObject({ status: 503 });
    const client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: key, maxRetries: 0 });
    const upload = client.files.create({ purpose: 'user_data', file: new File([Buffer.alloc(large)], 'large.pdf') });
    await expect(upload).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    for (const status of [403, 415, 429]) {
      await expect(client.post(`/reject/${status}`, { body: { input: 'x'.repeat(large) } })).rejects.toMatchObject({
        status,
      });
    }
  });
});

describe('Expect: 100-continue', () => {
  it('should ask for the body once the request is accepted', async () => {
    const client = await open();
    const headers = `authorization: Bearer ${token}\r\n${json}expect: 100-continue\r\n`;
    await client.write(head('POST /api-keys', headers, 2));
    await waitFor(() => client.text !== '');
    expect(client.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    await client.write('{}');
    expect(await client.response()).toMatchObject({ status: 400, interim: [100] });
  });

  it('should get only the rejection', async () => {
    const client = await open();
    await client.write(head('POST /v1/embeddings', `${json}expect: 100-continue\r\n`, 50 * megabyte));
    expect(await client.response()).toMatchObject({ status: 401, interim: [] });
  });
});

describe('A rejected client that does not close', () => {
  const linger = { idleMilliseconds: 200, totalMilliseconds: 60_000, bytes: 4 * megabyte, connections: 2 };
  const bounded = useTestApp(() => ({ database: service.database, config: { http: { linger } } }));

  /** Returns a client that has read its 401, and the server's socket. */
  async function reject(bytes: number | 'chunked', to = bounded): Promise<{ client: RawClient; socket: Socket }> {
    const server: Server = to.app.getHttpServer();
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = await open(to);
    const [socket] = await accepted;
    const route = 'POST /v1/embeddings';
    await client.write(bytes === 'chunked' ? chunkedHead(route, json) : head(route, json, bytes));
    expect((await client.response()).status).toBe(401);
    return { client, socket };
  }

  async function closed(socket: Socket): Promise<void> {
    if (!socket.destroyed) await once(socket, 'close');
  }

  it.each([
    ['announced', 1000 * megabyte, chunk],
    ['chunked', 'chunked' as const, asChunk(chunk)],
  ])('should be cut off after a number of bytes, %s', async (_title, bytes, data) => {
    const { client, socket } = await reject(bytes);
    for (let sent = 0; sent < 1000 && !client.socket.destroyed; sent++) await client.write(data);
    await closed(socket);
    expect(socket.bytesRead).toBeLessThan(8 * megabyte);
  });

  it.each([
    ['', 1000 * megabyte],
    [' the rest of a small body', 100],
  ])('should be cut off after a time without sending%s', async (_what, bytes) => {
    const { client, socket } = await reject(bytes);
    await client.end();
    await closed(socket);
    expect(client.failure).toBeUndefined();
  });

  it('should be cut off after a total time, although it keeps sending', async () => {
    const linger = { ...defaultHttpLimits.linger, idleMilliseconds: 60_000, totalMilliseconds: 300 };
    const patient = await startApp({ database: service.database, config: { http: { linger } } });
    const { client, socket } = await reject(1000 * megabyte, patient);
    const trickle = setInterval(() => void client.write(' '), 20);
    await closed(socket).finally(() => clearInterval(trickle));
    expect(socket.bytesRead).toBeLessThan(megabyte);
  });

  it('should not have a request served that follows its body', async () => {
    const bytes = 100_000;
    const next = Buffer.from(head('GET /health/live', '', 0));
    const server: Server = service.app.getHttpServer();
    let requests = 0;
    server.on('request', () => (requests += 1));
    const { client, socket } = await reject(bytes, service);
    const before = socket.bytesRead;
    await client.write(Buffer.concat([Buffer.alloc(bytes), next]));
    await waitFor(() => socket.bytesRead >= before + bytes + next.length);
    expect(requests).toBe(1);
  });

  it('should not be cut off earlier because its request is late', async () => {
    // A request whose headers are late would get 408.
    const limits = { headersMilliseconds: 2000, requestMilliseconds: 2000, checkIntervalMilliseconds: 10 };
    const http = { ...limits, linger: defaultHttpLimits.linger };
    const impatient = await startApp({ database: service.database, config: { http } });
    const server: Server = impatient.app.getHttpServer();
    const late = once(server, 'clientError');
    const { client, socket } = await reject(1000 * megabyte, impatient);
    await late;
    expect(socket.destroyed).toBe(false);
    expect(client.text).toBe('');
  });

  it('should give way to newer ones', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 3; count++) sockets.push((await reject(megabyte)).socket);
    expect(sockets[0]?.destroyed).toBe(true);
  });
});
