import { MetricsService } from '../../src/metrics/metrics.service.js';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { BodyMemory } from '../../src/common/http/body-memory.js';
import { BodyReader } from '../../src/common/http/body-reader.js';
import { ModelRequest } from '../../src/ai-gateway/body/model-request.js';
import { embeddingsProtocol } from '../../src/ai-gateway/tasks/embeddings/embeddings.upstream.js';
import { ocrProtocol } from '../../src/ai-gateway/tasks/ocr/ocr.upstream.js';
import type { UpstreamProtocol } from '../../src/ai-gateway/upstreams/upstream-protocol.js';
import { UpstreamsService } from '../../src/ai-gateway/upstreams/upstreams.service.js';
import { useGateway } from '../setup/gateway.js';
import {
  respondWithEmbeddings,
  respondWithJson,
  embeddingsText,
  startUpstream,
  type Upstream,
  upstreamModel,
} from '../setup/upstream.js';

describe('A model served by an upstream', () => {
  let upstream: Upstream;

  const gateway = useGateway(async () => {
    upstream = await startUpstream();
    const { baseUrl } = upstream;
    return [
      upstreamModel([{ baseUrl }], { aliases: ['tiny "ü"'] }),
      upstreamModel([{ baseUrl, model: 'same' }], { id: 'same' }),
      upstreamModel([{ baseUrl, apiKey: undefined }], { id: 'open' }),
      upstreamModel([{ baseUrl }], { id: 'reader', task: 'ocr' }),
    ];
  });
  afterAll(() => upstream.stop());
  beforeEach(() => {
    upstream.requests.length = 0;
    upstream.respond = respondWithEmbeddings();
  });

  const sentBody = () => String(upstream.requests[0]?.body);

  it("should forward the body unchanged except for the upstream's model name", async () => {
    const body = (model: string) =>
      `{ "input":\t["caf\\u00e9 \\"x\\" ü", "b" ], "future" : {"model":"small"},"model" : ${model} , "n":1.50e+3}\r\n`;
    const response = await gateway.embed(body('"sm\\u0061ll"'));
    expect(response.status).toBe(200);
    expect(sentBody()).toBe(body('"remote-small"'));
    expect(upstream.requests[0]?.url).toBe('/v1/embeddings');
    expect(upstream.requests[0]?.headers['content-length']).toBe(String(Buffer.byteLength(sentBody())));
  });

  it('should forward the body unchanged if the upstream uses the same model name', async () => {
    const body = '{"model":"s\\u0061me","input":"a"}';
    await gateway.embed(body);
    expect(sentBody()).toBe(body);
  });

  it("should return the response unchanged except for the client's model name", async () => {
    const response = await gateway.embed({ model: 'tiny "ü"', input: 'a' });
    expect(response.text).toBe(embeddingsText('tiny \\"ü\\"'));
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(response.text)));
  });

  it("should forward only the request id, with the upstream's credential", async () => {
    await gateway.embed(
      { model: 'small', input: 'a' },
      {
        'x-api-key': gateway.key,
        'x-request-id': 'my-request',
        cookie: 'session=1',
        'openai-organization': 'org-1',
        'x-forwarded-for': '10.0.0.1',
        'proxy-authorization': 'Basic eA==',
        te: 'trailers',
      },
    );
    expect(upstream.requests[0]?.headers).toEqual({
      host: new URL(upstream.baseUrl).host,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': String(sentBody().length),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'keycard',
      authorization: 'Bearer upstream-secret',
      'x-request-id': 'my-request',
    });
    expect(JSON.stringify(upstream.requests)).not.toContain(gateway.key);
  });

  it('should send no credential if none is configured', async () => {
    await gateway.embed({ model: 'open', input: 'a' });
    expect(upstream.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('should not forward response headers', async () => {
    upstream.respond = (response) =>
      respondWithJson(response, 200, embeddingsText('x'), {
        'set-cookie': 'a=b',
        'x-request-id': 'theirs',
        'openai-organization': 'org-1',
        'x-ratelimit-remaining-requests': '5',
        connection: 'x-named',
        'x-named': '1',
        server: 'theirs',
      });
    const { headers } = await gateway.embed({ model: 'small', input: 'a' }, { 'x-request-id': 'ours' });
    expect([...headers.keys()].filter((name) => name !== 'keep-alive').sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'date',
      'x-content-type-options',
      'x-request-id',
    ]);
    expect(headers.get('x-request-id')).toBe('ours');
  });

  it('should reuse connections', async () => {
    for (let count = 0; count < 5; count++) await gateway.embed({ model: 'small', input: 'a' });
    expect(await upstream.countConnections()).toBe(1);
  });

  it('should be listed like any other model', async () => {
    const response = await fetch(`${gateway.url}/v1/models`, { headers: { 'x-api-key': gateway.key } });
    const { data } = (await response.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(['small', 'tiny "ü"', 'same', 'open', 'reader']);
  });

  it.each<[string, string, string]>([
    ['a second model', '{"model":"small","input":"a","model":"other"}', 'model must be given once.'],
    ['a second model, escaped', '{"model":"small","mod\\u0065l":"small"}', 'model must be given once.'],
    ['a model in capitals', '{"model":"small","input":"a","Model":"x"}', 'model must be written in lower case.'],
    ['no model', '{"input":"a"}', 'model is required: the id of a model, as a string.'],
    ['an array as model', '{"model":["small"]}', 'model is required: the id of a model, as a string.'],
    ['a model of another route', '{"model":"reader"}', "The model 'reader' is for POST /v1/ocr"],
    ['text after the object', '{"model":"small"} {}', 'The body is not valid JSON.'],
    ['a body that is cut off', '{"model":"small","input":["a"', 'The body is not valid JSON: it is cut off.'],
    ['an array', '[{"model":"small"}]', 'The body is not a JSON object.'],
    ['an empty body', '', 'The body is not a JSON object.'],
  ])('should reject %s without calling the upstream', async (_title, body, message) => {
    const response = await gateway.embed(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: { message: expect.stringContaining(message) as string } });
    expect(upstream.requests).toEqual([]);
  });

  it('should return 404 if it is not in the catalog', async () => {
    const response = await gateway.embed({ model: 'remote-small', input: 'a' });
    expect(response.status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });
});

describe('UpstreamsService', () => {
  let upstream: Upstream;
  const upstreams = new UpstreamsService(new MetricsService());
  beforeAll(async () => {
    upstream = await startUpstream();
  });
  afterAll(async () => {
    await upstreams.onApplicationShutdown();
    await upstream.stop();
  });

  async function forward(protocol: UpstreamProtocol, text: string) {
    upstream.respond = (response) => respondWithJson(response, 200, text);
    const limits = { maxBytes: 1000, idleMilliseconds: 20_000 };
    const unread = { body: new BodyReader(Readable.from([Buffer.from('{"model":"small"}')]), limits), headers: {} };
    const body = await ModelRequest.read(unread, new BodyMemory(1000).open());
    const usage = { model: 'small', inputTokens: 0, pages: 0 };
    const { servedBy } = upstreamModel([upstream]);
    if (!('targets' in servedBy)) throw new Error('No targets.');
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const request = { body, requestId: 'id', trace: undefined, usage, response };
    const passed = await upstreams.forward([servedBy.targets], protocol, request);
    return { passed, usage };
  }

  it('should report the tokens of an embedding', async () => {
    const { usage } = await forward(embeddingsProtocol, embeddingsText('x', 1234));
    expect(usage).toEqual({ model: 'small', inputTokens: 1234, pages: 0, isUnreported: false });
  });

  it('should forward documents and report their pages', async () => {
    const pages = '{"pages":[],"model":"mistral-ocr","usage_info":{"pages_processed":3,"doc_size_bytes":9}}';
    const { passed, usage } = await forward(ocrProtocol, pages);
    expect((passed as Buffer).toString()).toBe(pages.replace('mistral-ocr', 'small'));
    expect(usage).toEqual({ model: 'small', inputTokens: 0, pages: 3, isUnreported: false });
    expect(upstream.requests.at(-1)?.url).toBe('/v1/ocr');
  });

  it('should report the tokens of a large response before its last byte', async () => {
    const large = embeddingsText('x', 77, `[${'0.123456789,'.repeat(50_000)}1]`);
    const { passed, usage } = await forward(embeddingsProtocol, large);
    let text = '';
    for await (const chunk of passed as Readable) text += String(chunk);
    expect(text).toBe(large.replace('"model": "x"', '"model": "small"'));
    expect(usage.inputTokens).toBe(77);
  });
});
