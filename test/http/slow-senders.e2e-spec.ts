import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { bodyMemoryBytes } from '../../src/ai-gateway/tasks/ocr/body/document-limit.js';
import { BodyMemory } from '../../src/common/http/body-memory.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useRawClients } from '../setup/raw-client.js';
import { startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const slowMilliseconds = 60_000;
const megabyte = 1024 * 1024;

let key: string;
let token: string;
let upstream: Upstream;
const connect = useRawClients();
const open = (to = service) => connect(to);

const http = { bodyIdleMilliseconds: 200, requestMilliseconds: slowMilliseconds, checkIntervalMilliseconds: 50 };
const embedded = defaultModels().find(({ task }) => task === 'embeddings')?.id ?? '';
const service = useTestApp(async () => {
  upstream = await startUpstream();
  const models = [...defaultModels(), upstreamModel([{ baseUrl: upstream.baseUrl }])];
  return { config: { models, http: { ...http, headersMilliseconds: 300 } } };
});
beforeAll(async () => {
  const member = await createMember(service);
  ({ token } = member);
  ({ key } = await createApiKey(service, member));
});
afterAll(() => upstream.stop());

const json = 'application/json';
const form = 'multipart/form-data; boundary=x';

const headOf = (route: string, type: string, length: string) => {
  const credential = route.includes('/v1/') ? `x-api-key: ${key}` : `authorization: Bearer ${token}`;
  return `${route} HTTP/1.1\r\nhost: keycard\r\n${credential}\r\ncontent-type: ${type}\r\n${length}\r\n\r\n`;
};

describe('A body that stops arriving', () => {
  const part = '--x\r\ncontent-disposition: form-data; name="model"\r\n\r\nm';
  const cases: [route: string, type: string, beginning: string][] = [
    ['POST /auth/sign-in', json, '{"email":'],
    ['POST /api-keys', json, '{"name":'],
    ['POST /v1/embeddings', json, '{"model":'],
    ['POST /v1/ocr', json, '{"model":'],
    ['POST /v1/ocr', form, part],
  ];

  it.each(cases)(
    'should be rejected with 408 on %s as %s, before and after the first byte',
    async (route, type, beginning) => {
      for (const sent of ['', beginning]) {
        const client = await open();
        await client.write(headOf(route, type, 'content-length: 1000') + sent);
        const response = await client.response();
        expect(response.status).toBe(408);
        expect(response.headers['connection']).toBe('close');
        expect(response.body).toContain(route.includes('/v1/') ? '"request_timeout"' : '"request-timeout"');
        await client.end();
      }
    },
  );

  it.each(cases)('should be rejected with 408 on %s as %s if chunked', async (route, type, beginning) => {
    const client = await open();
    const chunk = `${beginning.length.toString(16)}\r\n${beginning}\r\n`;
    await client.write(headOf(route, type, 'transfer-encoding: chunked') + chunk);
    expect((await client.response()).status).toBe(408);
    await client.end();
    expect(client.failure).toBeUndefined();
  });
});

describe('A large embeddings body that stops arriving after its model is known', () => {
  const stall = async (model: string) => {
    const client = await open();
    const beginning = `{"model":"${model}",${' '.repeat(2 * megabyte)}`;
    await client.write(headOf('POST /v1/embeddings', json, `content-length: ${3 * megabyte}`) + beginning);
    return client.response();
  };

  it('should be rejected with 408 if an engine serves the model', async () => {
    expect((await stall(embedded)).status).toBe(408);
  });

  it('should be rejected with 408 and not held against the upstream that serves the model', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, () => stall('small')));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 408));
    await waitFor(() => upstream.requests.length === 6 && upstream.requests.every(({ isBroken }) => isBroken));
    const body = { model: 'small', input: 'a' };
    expect((await call(service.url, 'POST /v1/embeddings', { token: key, body })).status).toBe(200);
  });
});

describe('A request that arrives byte by byte', () => {
  const limits = { headersMilliseconds: 500, requestMilliseconds: 500, checkIntervalMilliseconds: 50 };
  const impatient = useTestApp(() => ({
    database: service.database,
    config: { http: { ...limits, bodyIdleMilliseconds: slowMilliseconds } },
  }));

  it.each([
    [
      'its body',
      'POST /auth/sign-in HTTP/1.1\r\nhost: k\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n',
    ],
    ['its headers', 'POST /auth/sign-in HTTP/1.1\r\nhost: k\r\nx: '],
  ])('should be rejected with 408 once it takes too long to send %s', async (_what, beginning) => {
    const client = await open(impatient);
    await client.write(beginning);
    const trickle = setInterval(() => void client.write(' '), 20);
    const response = await client.response().finally(() => clearInterval(trickle));
    expect(response.status).toBe(408);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'request-timeout' });
    await client.end();
    expect(client.failure).toBeUndefined();
  });
});

describe('A connection without a complete request', () => {
  it('should be closed with 408 when the headers stop arriving', async () => {
    const client = await open();
    await client.write('GET /health/live HTTP/1.1\r\nhost:');
    expect((await client.response()).status).toBe(408);
    await client.end();
  });

  it('should be closed without a response if nothing was sent', async () => {
    const client = await open();
    await client.end();
    expect(client.text).toBe('');
    expect(client.failure).toBeUndefined();
  });
});

describe('The memory for request bodies', () => {
  it.each(['POST /v1/embeddings', 'POST /v1/ocr', 'POST /api-keys'])('should bound the bodies of %s', async (route) => {
    const others = service.app.get(BodyMemory).open();
    const send = () => {
      const credential = route.includes('/v1/') ? key : token;
      return call(service.url, route, { token: credential, body: { model: 'missing', name: 'a key' } });
    };
    others.take(bodyMemoryBytes - 10);
    const rejected = await send();
    others.release();
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('retry-after')).toBe('5');
    expect((await send()).status).not.toBe(503);
  });

  it('should bound the part of a large embeddings body that follows the model', async () => {
    const others = service.app.get(BodyMemory).open();
    others.take(bodyMemoryBytes - 1.75 * megabyte);
    const rawBody = `{"model":"${embedded}",${' '.repeat(3 * megabyte)}"input":""}`;
    const { status } = await call(service.url, 'POST /v1/embeddings', {
      token: key,
      headers: { 'content-type': json },
      rawBody,
    });
    others.release();
    expect(status).toBe(503);
  });

  it.each([
    ['before it arrives if its length is announced', `content-length: ${megabyte}`, ''],
    ['while it arrives if it is chunked', 'transfer-encoding: chunked', '2\r\n{}\r\n'],
  ])('should reject an OCR request %s', async (_when, length, body) => {
    const others = service.app.get(BodyMemory).open();
    others.take(bodyMemoryBytes - 1);
    const client = await open();
    await client.write(headOf('POST /v1/ocr', json, length) + body);
    const { status } = await client.response();
    others.release();
    expect(status).toBe(503);
  });

  it('should be free again after every request', async () => {
    for (const body of ['{"model":"missing"}', '{"model":', '[]']) {
      await call(service.url, 'POST /v1/embeddings', { token: key, headers: { 'content-type': json }, rawBody: body });
      await call(service.url, 'POST /api-keys', { token, headers: { 'content-type': json }, rawBody: body });
    }
    const all = service.app.get(BodyMemory).open();
    expect(() => all.take(bodyMemoryBytes)).not.toThrow();
    all.release();
  });
});
