import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import OpenAI from 'openai';
import { generateApiKey } from '../src/api-keys/api-key.token.js';
import { createApiKey } from './factories/api-keys.js';
import { createMember } from './factories/organizations.js';
import { RawClient } from './setup/raw-client.js';
import { startTestApp, type TestApp } from './setup/test-app.js';

const megabyte = 1024 * 1024;
const chunk = Buffer.alloc(megabyte, ' ');
const json = 'content-type: application/json\r\n';

let service: TestApp;
let key: string;
let token: string;
const clients: RawClient[] = [];

beforeAll(async () => {
  service = await startTestApp();
  const member = await createMember(service);
  ({ token } = member);
  ({ key } = await createApiKey(service, member));
});
afterEach(() => clients.splice(0).forEach((client) => client.destroy()));
afterAll(() => service.stop());

async function open({ url } = service): Promise<RawClient> {
  const client = await RawClient.connect(url);
  clients.push(client);
  return client;
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
      expect((await client.response()).status).toBe(status);
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

  it('should reach fetch in 20 of 20 tries', async () => {
    const body = new FormData();
    body.set('file', new Blob([Buffer.alloc(3 * megabyte)]), 'document.pdf');
    for (let count = 0; count < 20; count++) {
      const headers = { authorization: `Bearer ${generateApiKey()}` };
      const response = await fetch(`${service.url}/v1/ocr`, { method: 'POST', headers, body });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
    }
  });

  it('should reach the OpenAI client as an authentication error', async () => {
    const client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: generateApiKey(), maxRetries: 0 });
    const request = client.embeddings.create({ model: 'any', input: 'x'.repeat(9 * megabyte) });
    await expect(request).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  it('should keep the connection when the body is small', async () => {
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

describe('Expect: 100-continue', () => {
  it('should ask for the body once the request is accepted', async () => {
    const client = await open();
    const headers = `authorization: Bearer ${token}\r\n${json}expect: 100-continue\r\n`;
    await client.write(head('POST /api-keys', headers, 2));
    while (client.text === '') await new Promise((resolve) => client.socket.once('data', resolve));
    expect(client.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    await client.write('{}');
    expect(await client.response()).toMatchObject({ status: 400, interim: [100] });
  });

  it('should be answered with the rejection alone', async () => {
    const client = await open();
    await client.write(head('POST /v1/embeddings', `${json}expect: 100-continue\r\n`, 50 * megabyte));
    expect(await client.response()).toMatchObject({ status: 401, interim: [] });
  });
});

describe('A rejected client that does not close', () => {
  let bounded: TestApp;
  beforeAll(async () => {
    const linger = { idleMilliseconds: 200, totalMilliseconds: 60_000, bytes: 4 * megabyte, connections: 2 };
    bounded = await startTestApp({ database: service.database, config: { http: { linger } } });
  });
  afterAll(() => bounded.stop());

  /** A client that has read its 401, and the server's side of the connection. */
  async function reject(bytes: number): Promise<{ client: RawClient; socket: Socket }> {
    const server: Server = bounded.app.getHttpServer();
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = await open(bounded);
    const [socket] = await accepted;
    await client.write(head('POST /v1/embeddings', json, bytes));
    expect((await client.response()).status).toBe(401);
    return { client, socket };
  }

  async function closed(socket: Socket): Promise<void> {
    if (!socket.destroyed) await once(socket, 'close');
  }

  it('should be cut off after a number of bytes', async () => {
    const { client, socket } = await reject(1000 * megabyte);
    for (let sent = 0; sent < 1000 && !client.socket.destroyed; sent++) await client.write(chunk);
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

  it('should give way to newer ones', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 3; count++) sockets.push((await reject(megabyte)).socket);
    expect(sockets[0]?.destroyed).toBe(true);
  });
});
