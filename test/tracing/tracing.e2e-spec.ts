import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { type Collector, startCollector } from '../setup/collector.js';
import { startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const headers = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'vendor=1' };
const embedded = 'universal-sentence-encoder-lite';

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.stop());
const models = () => [...defaultModels(), upstreamModel([{ baseUrl: upstream.baseUrl, weight: 1 }], { id: 'remote' })];
const otel = ({ url }: Collector) => ({
  exporterOtlpEndpoint: url,
  exporterOtlpHeaders: { authorization: 'Bearer collector' },
  serviceName: 'keycard',
});

describe('A trace of the client', () => {
  const service = useTestApp(() => ({ config: { models: models() } }));
  let key: string;
  beforeAll(async () => {
    key = (await createApiKey(service, await createMember(service))).key;
  });
  const embed = (traceHeaders: Record<string, string>) =>
    call(service.url, 'POST /v1/embeddings', {
      token: key,
      headers: traceHeaders,
      body: { model: 'remote', input: 'a text' },
    });
  const logLineOf = async (requestId: string | null) => {
    const find = () => service.logLines.find((line) => line.includes(`"requestId":"${requestId}"`));
    await waitFor(() => find() !== undefined);
    return JSON.parse(find() ?? '') as Record<string, unknown>;
  };

  it('should reach the upstream, with a span id of its own, and be in the log', async () => {
    const response = await embed(headers);
    expect(response.status).toBe(200);
    expect(upstream.requests.at(-1)?.headers).toMatchObject({
      traceparent: expect.stringMatching(new RegExp(`^00-${traceId}-(?!${spanId})[0-9a-f]{16}-01$`)) as string,
      tracestate: 'vendor=1',
    });
    expect(await logLineOf(response.headers.get('x-request-id'))).toMatchObject({ trace_id: traceId });
  });

  it.each([
    ['without one', {}],
    ['with a malformed one', { traceparent: 'hello' }],
  ])('should not be invented for a request %s', async (_what, given) => {
    const response = await embed(given);
    expect(response.status).toBe(200);
    expect(upstream.requests.at(-1)?.headers).not.toHaveProperty('traceparent');
    expect(await logLineOf(response.headers.get('x-request-id'))).not.toHaveProperty('trace_id');
  });
});

describe('The exported spans', () => {
  const startApp = useAppStarter();
  let collector: Collector;
  beforeAll(async () => {
    collector = await startCollector();
  });
  afterAll(() => collector.stop());

  /** Stops the app, which sends the spans that are left. */
  async function collectSpansOf(use: (url: string, key: string, member: Member) => Promise<void>) {
    collector.spans.length = 0;
    const service = await startApp({ config: { models: models(), otel: otel(collector) } });
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    await use(service.url, key, member);
    await service.stop();
    expect(JSON.stringify(collector.spans)).not.toContain(key);
    return collector.spans;
  }

  it('should show how a request went through Keycard to an upstream', async () => {
    let member: Member | undefined;
    const spans = await collectSpansOf(async (url, token, owner) => {
      member = owner;
      await call(url, 'POST /v1/embeddings', { token, headers, body: { model: 'remote', input: 'a text' } });
    });
    const [request, verification, client] = ['POST /v1/embeddings', 'verify API key', 'embeddings remote'].map((name) =>
      spans.find((span) => span.name === name),
    );
    expect(request).toMatchObject({
      traceId,
      parentSpanId: spanId,
      kind: 2,
      service: 'keycard',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/embeddings',
        'http.response.status_code': 200,
        'keycard.organization.id': member?.organizationId,
      },
    });
    expect(verification).toMatchObject({ traceId, parentSpanId: request?.spanId, kind: 1 });
    expect(client).toMatchObject({
      traceId,
      parentSpanId: request?.spanId,
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.request.model': 'remote',
        'gen_ai.usage.input_tokens': 8,
        'http.response.status_code': 200,
        'server.address': '127.0.0.1',
      },
    });
    expect(upstream.requests.at(-1)?.headers['traceparent']).toBe(`00-${traceId}-${client?.spanId}-01`);
    expect(collector.headers['authorization']).toBe('Bearer collector');
  });

  it('should include embedded models, and requests that fail', async () => {
    upstream.respond = (response) => response.writeHead(500).end();
    const spans = await collectSpansOf(async (url, token) => {
      await call(url, 'POST /v1/embeddings', { token, body: { model: embedded, input: 'a text' } });
      await call(url, 'POST /v1/embeddings', { token, body: { model: 'remote', input: 'a text' } });
      await call(url, 'GET /v1/models', { token: 'kc_wrong' });
    });
    expect(spans.find(({ name }) => name === `embeddings ${embedded}`)).toMatchObject({
      kind: 1,
      attributes: { 'gen_ai.provider.name': 'keycard', 'gen_ai.usage.input_tokens': expect.any(Number) as number },
    });
    expect(spans.find(({ name }) => name === 'embeddings remote')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'upstream-failed', 'http.response.status_code': 500 },
    });
    expect(spans.filter(({ name }) => name === 'verify API key').at(-1)?.attributes).toEqual({
      'error.type': 'invalid-credential',
    });
    expect(new Set(spans.map((span) => span.traceId)).size).toBe(3);
  });

  it.each([
    ['is silent', () => startCollector(true)],
    ['is gone', async () => startCollector().then(async (gone) => (await gone.stop(), gone))],
  ])('should not delay requests and shutdown when the collector %s', async (_what, start) => {
    const broken = await start();
    const service = await startApp({ config: { models: models(), otel: otel(broken) } });
    const { key } = await createApiKey(service, await createMember(service));
    expect((await call(service.url, 'GET /v1/models', { token: key })).status).toBe(200);
    await service.stop();
    await broken.stop().catch(() => undefined);
  });
});
