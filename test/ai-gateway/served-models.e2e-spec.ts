import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useGateway } from '../setup/gateway.js';
import { nowhere, respondWithEmbeddings, startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { useTestApp } from '../setup/use-test-app.js';

interface Served {
  models: { id: string; upstreams: { circuit: string; p95Milliseconds: number; lastError: { reason: string } }[] }[];
}

describe('GET /models', () => {
  const app = useTestApp({ config: { models: defaultModels(), services: ['search'] } });

  it('should describe the bundled models to members without any permission', async () => {
    const { token } = await createMember(app, { permissions: [] });
    const { status, body } = await call(app.url, 'GET /models', { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      services: ['authorize', 'search'],
      models: [
        {
          id: 'universal-sentence-encoder-lite',
          task: 'embeddings',
          languages: ['en'],
          price: null,
          engine: { name: 'universal-sentence-encoder-lite', state: 'idle', maxInputs: 2048, dimensions: 512 },
          upstreams: [],
          routes: [],
          maxOutputTokens: null,
          fallbacks: [],
          contextFallback: null,
        },
        {
          id: 'tesseract',
          languages: expect.arrayContaining(['eng', 'deu']) as string[],
          engine: { name: 'tesseract', state: 'idle', maxDocumentBytes: 50 * 1024 * 1024, maxDocumentPages: 1000 },
        },
      ],
    });
  });
});

describe('GET /models with upstreams', () => {
  let upstream: Upstream;
  const gateway = useGateway(async () => {
    upstream = await startUpstream();
    const { host } = new URL(upstream.baseUrl);
    const baseUrl = `http://${host}/secret-path/v1`;
    return [
      upstreamModel([{ baseUrl, weight: 3 }, { baseUrl: 'https://api.example.com/v1' }], {
        id: 'priced',
        aliases: ['cheap'],
        price: { perMillionTokens: { input: '0.02' } },
      }),
      upstreamModel([{ baseUrl }], { id: 'healthy' }),
      upstreamModel([{ baseUrl }], { id: 'failing' }),
      upstreamModel([{ baseUrl }], { id: 'picky' }),
    ];
  });
  afterAll(() => upstream.stop());

  async function readModels() {
    const { token } = await createMember(gateway, { permissions: [] });
    const { body, text } = await call(gateway.url, 'GET /models', { token });
    const { models } = body as Served;
    return { text, healthOf: (id: string) => models.find((model) => model.id === id)?.upstreams[0], models };
  }

  it('should name the host and the share of each upstream, the price, and no path or credential', async () => {
    const { models, text } = await readModels();
    const unused = { circuit: 'closed', p95Milliseconds: null, errorShare: null, lastError: null };
    expect(models[0]).toMatchObject({
      aliases: ['cheap'],
      price: { currency: 'USD', perMillionTokens: { input: '0.02' } },
      engine: null,
      upstreams: [
        { host: new URL(upstream.baseUrl).host, model: 'remote-small', share: 0.75, ...unused },
        { host: 'api.example.com', share: 0.25, ...unused },
      ],
    });
    expect(text).not.toContain('secret');
  });

  it('should report the 95th percentile of successful responses', async () => {
    upstream.respond = respondWithEmbeddings();
    expect((await gateway.embed({ model: 'healthy', input: 'a' })).status).toBe(200);
    const { healthOf } = await readModels();
    expect(healthOf('healthy')).toMatchObject({ circuit: 'closed', errorShare: 0, lastError: null });
    expect(healthOf('healthy')?.p95Milliseconds).toBeGreaterThan(0);
  });

  it('should report the last error, the share of errors and the open circuit of a failing upstream', async () => {
    upstream.respond = (response) => response.writeHead(500).end();
    for (let count = 0; count < 5; count++) await gateway.embed({ model: 'failing', input: 'a' });
    const health = (await readModels()).healthOf('failing');
    const lastError = { reason: 'responded 500' };
    expect(health).toMatchObject({ circuit: 'open', p95Milliseconds: null, errorShare: 1, lastError });
  });

  it("should not report requests that an upstream rejected for the client's fault", async () => {
    upstream.respond = (response) => response.writeHead(400).end();
    await gateway.embed({ model: 'picky', input: 'a' });
    expect((await readModels()).healthOf('picky')?.lastError).toBeNull();
  });
});

describe('GET /models with generation models', () => {
  const generation = { task: 'generation', maxOutputTokens: 1000 } as const;
  const app = useTestApp({
    config: {
      models: [
        upstreamModel([{ baseUrl: nowhere }], {
          ...generation,
          routes: ['responses', 'messages'],
          fallbacks: ['other'],
          contextFallback: 'long',
        }),
        upstreamModel([{ baseUrl: nowhere }], { ...generation, id: 'other' }),
        upstreamModel([{ baseUrl: nowhere }], { ...generation, id: 'long' }),
      ],
    },
  });

  it('should name their routes, their maximum output and their fallbacks', async () => {
    const { token } = await createMember(app, { permissions: [] });
    const { body } = await call(app.url, 'GET /models', { token });
    expect((body as Served).models).toMatchObject([
      {
        task: 'generation',
        routes: ['responses', 'messages'],
        maxOutputTokens: 1000,
        fallbacks: ['other'],
        contextFallback: 'long',
      },
      { id: 'other', routes: ['chat/completions'], fallbacks: [], contextFallback: null },
      { id: 'long' },
    ]);
  });
});
