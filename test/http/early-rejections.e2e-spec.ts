import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { aiError } from '../setup/ai-error.js';
import { call } from '../setup/call.js';
import { useRawClients } from '../setup/raw-client.js';
import type { RawResponse } from '../setup/raw-response.js';
import { useTestApp } from '../setup/use-test-app.js';

const megabyte = 1024 * 1024;
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

const service = useTestApp();
const connect = useRawClients();
const open = () => connect(service);

async function send(text: string): Promise<RawResponse> {
  const client = await open();
  await client.write(text);
  return client.response();
}

function expectProblem({ status, headers, body }: RawResponse, code: string): void {
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['x-request-id']).toMatch(uuid);
  expect(JSON.parse(body)).toMatchObject({ status, code, requestId: headers['x-request-id'] });
}

function expectOpenAiError({ headers, body }: RawResponse): void {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-request-id']).toMatch(uuid);
  const type = 'invalid_request_error';
  expect(JSON.parse(body)).toEqual(aiError({ message: expect.any(String) as string, type, param: null, code: null }));
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: keycard\r\n${headers}\r\n`;

describe('A request that cannot be routed', () => {
  const longHeader = `x: ${'x'.repeat(20_000)}\r\n`;
  const cases: [title: string, status: number, code: string, request: (path: string) => string][] = [
    ['has a malformed URL', 400, 'malformed-request', (path) => get(`${path}/%zz`)],
    ['has an unknown path', 404, 'route-not-found', (path) => get(`${path}/unknown/route`)],
    ['has too large headers', 431, 'headers-too-large', (path) => get(path, longHeader)],
    ['has an unknown expectation', 417, 'expectation-failed', (path) => get(path, 'expect: coffee\r\n')],
    ['has no host', 400, 'malformed-request', (path) => `GET ${path} HTTP/1.1\r\n\r\n`],
    ['has a malformed header', 400, 'malformed-request', (path) => get(path, 'a b: c\r\n')],
    ['has two lengths', 400, 'malformed-request', (path) => get(path, 'content-length: 1\r\ncontent-length: 2\r\n')],
    ['has an unknown method', 400, 'malformed-request', (path) => get(path).replace('GET', 'BREW')],
    ['has a method without a route', 404, 'route-not-found', (path) => get(path).replace('GET', 'PROPFIND')],
  ];

  it.each(cases)('should be rejected as a problem when it %s', async (_title, status, code, request) => {
    const response = await send(request('/api-keys'));
    expect(response.status).toBe(status);
    expectProblem(response, code);
  });

  it.each(cases)(
    "should be rejected in OpenAI's envelope under /v1 when it %s",
    async (_title, status, _code, request) => {
      const response = await send(request('/v1/embeddings'));
      expect(response.status).toBe(status);
      expectOpenAiError(response);
    },
  );

  it.each(['/v1', '/v1/', '/v1?a=b', '/v1/unknown'])("should be rejected in OpenAI's envelope at %s", async (path) => {
    const response = await send(get(path));
    expect(response.status).toBe(404);
    expectOpenAiError(response);
  });

  it.each(['/v1x', '/', '//v1/models', '/V1/models'])('should be rejected as a problem at %s', async (path) => {
    expectProblem(await send(get(path)), 'route-not-found');
  });

  it.each([
    'not HTTP at all\r\n\r\n',
    '\0\x01\x02\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
  ])('should be rejected as a problem when it is %j', async (text) => {
    const response = await send(text);
    expect(response.status).toBe(400);
    expectProblem(response, 'malformed-request');
    expect(response.headers['connection']).toBe('close');
  });

  it('should be rejected with 404 if it asks for a tunnel', async () => {
    const response = await send('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n');
    expect(response.status).toBe(404);
    expectProblem(response, 'route-not-found');
  });

  it('should be served as HTTP/1.1 if it asks for an upgrade', async () => {
    const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n';
    expect((await send(get('/health/live', upgrade))).status).toBe(200);
  });

  it("should keep the client's request id if its URL is malformed", async () => {
    const { headers } = await send(get('/api-keys/%zz', 'x-request-id: mine\r\n'));
    expect(headers['x-request-id']).toBe('mine');
  });

  it('should be logged with its status and without its URL', async () => {
    const { headers } = await send(get('/api-keys/%zz?secret'));
    const line = service.logLines.find((text) => text.includes(String(headers['x-request-id'])));
    expect(JSON.parse(line ?? '')).toMatchObject({ msg: 'request', method: 'GET', route: null, status: 400 });
    expect(line).not.toContain('secret');
  });

  it.each(['multipart/form-data; boundary=x', 'text/plain', 'no type', 'application/json'])(
    'should be rejected with 404 with %s and 12 MB',
    async (type) => {
      const client = await open();
      const head = `POST /v1/files HTTP/1.1\r\nhost: k\r\ncontent-type: ${type}\r\ncontent-length: ${12 * megabyte}\r\n\r\n`;
      await client.writeAll(head, Buffer.alloc(megabyte), 12);
      const response = await client.response();
      expect(response.status).toBe(404);
      expectOpenAiError(response);
    },
  );
});

describe('An unreadable request', () => {
  it('should not disturb the response to the request before it', async () => {
    const client = await open();
    await client.write(`${get('/health/ready')}nonsense\r\n\r\n`);
    expect((await client.response()).status).toBe(200);
    expectProblem(await client.response(), 'malformed-request');
    await client.end();
  });

  it("should be rejected in its route's format if only the body is malformed", async () => {
    const { key } = await createApiKey(service, await createMember(service));
    const client = await open();
    const headers = `x-api-key: ${key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n`;
    await client.write(`POST /v1/embeddings HTTP/1.1\r\nhost: k\r\nx-request-id: mine\r\n${headers}\r\n`);
    await client.write('1\r\n{\r\nnot a chunk\r\n');
    const response = await client.response();
    expect(response.status).toBe(400);
    expect(response.headers['x-request-id']).toBe('mine');
    await client.end();
    expect(client.text).toBe('');
  });
});

describe('A chunked body with extensions that are too large', () => {
  it('should be rejected with 413', async () => {
    const client = await open();
    const headers = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n';
    await client.write(`POST /auth/sign-in HTTP/1.1\r\nhost: k\r\n${headers}\r\n1;${'x'.repeat(20_000)}\r\n{\r\n`);
    const response = await client.response();
    expect(response.status).toBe(413);
    expectProblem(response, 'payload-too-large');
  });
});

describe('A path outside the served files', () => {
  it.each([
    '/docs/%2e%2e/package.json',
    '/docs/%2e%2e%2fpackage.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%5c..%5c..',
    '/docs/%5c..',
    '/docs/\\..\\',
    '/docs/%00',
    '/docs/.%00./x',
    '/docs/%2e',
    '/docs/missing.css',
    '/dashboard/%2e%2e/x',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/%5c..',
  ])('should return 404 at %s', async (path) => {
    const response = await send(get(path));
    expect(response.status).toBe(404);
    expectProblem(response, 'route-not-found');
  });
});

describe('A compressed body', () => {
  it.each([
    ['POST /auth/sign-in', 'gzip'],
    ['POST /auth/sign-in', 'identity, br'],
    ['POST /v1/embeddings', 'deflate'],
    ['POST /v1/ocr', 'gzip'],
  ])('should be rejected by %s with 415 and Accept-Encoding when it is %s', async (route, encoding) => {
    const { key } = await createApiKey(service, await createMember(service));
    const headers = { 'content-encoding': encoding, 'content-type': 'application/json', 'x-api-key': key };
    const { status, headers: received } = await call(service.url, route, { headers, rawBody: '\x1f\x8b' });
    expect(status).toBe(415);
    expect(received.get('accept-encoding')).toBe('identity');
  });

  it('should be accepted if it is not actually compressed', async () => {
    const headers = { 'content-encoding': 'Identity' };
    const { status } = await call(service.url, 'POST /auth/sign-in', {
      headers,
      body: { email: 'a@b.c', password: 'x' },
    });
    expect(status).toBe(401);
  });
});
