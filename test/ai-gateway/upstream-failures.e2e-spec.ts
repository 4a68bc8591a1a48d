import type { ServerResponse } from 'node:http';
import type { ModelDefinition } from '../../src/config/model-definition.js';
import { aiError } from '../setup/ai-error.js';
import { call } from '../setup/call.js';
import { useGateway } from '../setup/gateway.js';
import {
  respondWithJson,
  embeddingsText,
  nowhere,
  startUpstream,
  type Upstream,
  upstreamModel,
} from '../setup/upstream.js';

const openAiError = (type: string, code: string, param: string | null = null) =>
  aiError({ message: expect.any(String) as string, type, param, code });
const failed = openAiError('server_error', 'upstream_failed');

describe('A failing upstream', () => {
  let upstream: Upstream;
  let model: string;
  let count = 0;

  const gateway = useGateway(async () => {
    upstream = await startUpstream();
    const { baseUrl } = upstream;
    // Each test has its own model and therefore its own circuit.
    const models = Array.from({ length: 60 }, (_, index) => upstreamModel([{ baseUrl }], { id: `model-${index}` }));
    const late: ModelDefinition = upstreamModel([{ baseUrl, timeoutSeconds: 1 }], { id: 'late' });
    return [...models, late, upstreamModel([{ baseUrl: nowhere }], { id: 'refusing' })];
  });
  afterAll(() => upstream.stop());
  beforeEach(() => {
    model = `model-${count++}`;
    upstream.requests.length = 0;
    gateway.logLines.length = 0;
  });

  const log = () => gateway.logLines.join('');

  it.each([301, 401, 403, 404, 405, 409, 418, 500, 501, 502, 504])(
    'should be reported as 502 for its status %i, which is logged with its URL',
    async (status) => {
      upstream.respond = (response) =>
        respondWithJson(response, status, '{"error":{"message":"You sent Bearer upstream-secret"}}', {
          location: '/x',
        });
      const response = await gateway.embed({ model, input: 'a' }, { 'x-request-id': 'traced' });
      expect(response.status).toBe(502);
      expect(response.body).toEqual(failed);
      expect(response.text).not.toContain('secret');
      expect(log()).toContain(`Upstream ${upstream.baseUrl}, model remote-small, responded ${status}.`);
      expect(log()).toContain('"requestId":"traced"');
      expect(log()).not.toContain('secret');
    },
  );

  it.each([400, 422])(
    'should have its %i forwarded as 400 with its message, without the credential',
    async (status) => {
      upstream.respond = (response) =>
        respondWithJson(
          response,
          status,
          '{"error":{"message":"Too long for upstream-secret.","param":"input","code":"x"}}',
        );
      const response = await gateway.embed({ model, input: 'a' });
      expect(response.status).toBe(400);
      expect(response.body).toEqual(
        aiError({
          message: 'Too long for [redacted].',
          type: 'invalid_request_error',
          param: 'input',
          code: 'upstream_rejected',
        }),
      );
      expect(log()).toContain(`responded ${status}.`);
      expect(log()).not.toContain('secret');
    },
  );

  it.each(['', '<html>', 'x'.repeat(200_000)])(
    'should have its 400 forwarded without an unreadable message (%.10s)',
    async (text) => {
      upstream.respond = (response) => response.writeHead(400).end(text);
      const response = await gateway.embed({ model, input: 'a' });
      expect(response.status).toBe(400);
      expect(response.body).toEqual(openAiError('invalid_request_error', 'upstream_rejected'));
    },
  );

  it('should have its 413 forwarded', async () => {
    upstream.respond = (response) =>
      respondWithJson(response, 413, '{"error":"batch size 64 > 32","error_type":"Validation"}');
    const response = await gateway.embed({ model, input: 'a' });
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ error: { message: 'batch size 64 > 32' } });
  });

  it('should have its 429 forwarded with Retry-After and without its message', async () => {
    upstream.respond = (response) =>
      respondWithJson(response, 429, '{"error":{"message":"org-1"}}', { 'retry-after': '7' });
    const response = await gateway.embed({ model, input: 'a' });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.body).toEqual(openAiError('rate_limit_error', 'rate_limit_exceeded'));
    expect(response.text).not.toContain('org-1');
    expect(log()).toContain('responded 429.');
  });

  it('should have its 503 forwarded with Retry-After', async () => {
    for (const [headers, seconds] of [
      [{ 'retry-after': '9' }, '9'],
      [{}, '5'],
    ] as const) {
      upstream.respond = (response) => response.writeHead(503, headers).end();
      const response = await gateway.embed({ model, input: 'a' });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe(seconds);
      expect(response.body).toEqual(openAiError('server_error', 'upstream_unavailable'));
    }
  });

  it.each([
    ['HTML', '<html>Welcome</html>'],
    ['nothing', ''],
    ['an array', '[]'],
    ['half of an object', '{"data":['],
    ['an object and more', '{}{}'],
    ['a large body that is not JSON', 'x'.repeat(1_000_000)],
  ])('should be reported as 502 if its 200 is %s', async (_title, text) => {
    upstream.respond = (response) => respondWithJson(response, 200, text);
    const response = await gateway.embed({ model, input: 'a' });
    expect(response.status).toBe(502);
    expect(response.body).toEqual(failed);
    expect(log()).toContain('responded 2xx with a body that is not');
  });

  it('should be reported as 502 if it cannot be reached', async () => {
    const response = await gateway.embed({ model: 'refusing', input: 'a' });
    expect(response.status).toBe(502);
    expect(response.body).toEqual(failed);
    expect(log()).toContain('could not be reached: connect ECONNREFUSED');
  });

  it.each([
    ['before responding', ''],
    ['within the headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['before the first byte', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'],
    ['before the first byte of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n'],
    ['after sending something other than HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('should be reported as 502 if it disconnects %s', async (_title, text) => {
    upstream.respond = (response) => response.socket?.end(text);
    const response = await gateway.embed({ model, input: 'a' });
    expect(response.status).toBe(502);
    expect(response.body).toEqual(failed);
    expect(log()).toContain('broke the connection');
    expect(upstream.requests).toHaveLength(1);
  });

  it('should be reported as 504 and disconnected if it does not respond in time', async () => {
    const hungUp = new Promise((resolve) => {
      upstream.respond = (response) => response.once('close', resolve);
    });
    const response = await gateway.embed({ model: 'late', input: 'a' });
    expect(response.status).toBe(504);
    expect(response.body).toEqual(openAiError('server_error', 'upstream_timeout'));
    expect(log()).toContain('did not respond within 1 s');
    await hungUp;
  });

  it('should be reported as 504 if its response stalls before the first byte', async () => {
    upstream.respond = (response) => response.writeHead(200).flushHeaders();
    expect((await gateway.embed({ model: 'late', input: 'a' })).status).toBe(504);
  });

  it('should be waited for after interim responses', async () => {
    upstream.respond = (response) => {
      response.writeProcessing();
      respondWithJson(response, 200, embeddingsText('x'));
    };
    expect((await gateway.embed({ model, input: 'a' })).status).toBe(200);
  });

  const breakOff = (response: ServerResponse) => response.socket?.destroy();
  it.each([
    ['breaks off', '{"data":[', breakOff, 'broke the connection'],
    ['breaks off, even a large one', `{"data":"${'x'.repeat(1_000_000)}`, breakOff, 'broke the connection'],
    ['ends too early', '{"data":[', (response: ServerResponse) => response.end(), 'cut off'],
    ['is no longer JSON', '{"data":[', (response: ServerResponse) => response.end('}'), 'is not valid JSON'],
  ])("should break the client's connection if its response %s", async (_title, start, end, logged) => {
    const started = new Promise<ServerResponse>((resolve) => {
      upstream.respond = (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write(start);
        resolve(response);
      };
    });
    const response = await fetch(`${gateway.url}/v1/embeddings`, {
      method: 'POST',
      headers: { 'x-api-key': gateway.key, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'a' }),
    });
    expect(response.status).toBe(200);
    end(await started);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(log()).toContain(logged);
    expect((await call(gateway.url, 'GET /v1/models', { token: gateway.key })).status).toBe(200);
  });
});
