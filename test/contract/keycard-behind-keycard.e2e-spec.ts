import OpenAI from 'openai';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { type Gateway, startGateway } from '../setup/gateway.js';
import { upstreamModel } from '../setup/upstream.js';

const remoteModel = 'universal-sentence-encoder-lite';

describe('The openai client, with one Keycard behind another', () => {
  let back: Gateway;
  let front: Gateway;
  let client: OpenAI;

  beforeAll(async () => {
    back = await startGateway(defaultModels());
    const target = { baseUrl: `${back.url}/v1`, apiKey: back.key, model: remoteModel };
    front = await startGateway([
      upstreamModel([target], { id: 'sentences' }),
      upstreamModel([{ ...target, apiKey: 'kc_wrong' }], { id: 'locked' }),
      upstreamModel([{ ...target, model: 'unknown' }], { id: 'misnamed' }),
    ]);
    client = new OpenAI({ baseURL: `${front.url}/v1`, apiKey: front.key, maxRetries: 0 });
  });
  afterAll(async () => {
    await front.stop();
    await back.stop();
  });

  const input = ['How do I reset my password?', 'Bananas are rich in potassium'];
  const direct = () => new OpenAI({ baseURL: `${back.url}/v1`, apiKey: back.key });
  const failure = (request: Promise<unknown>) => request.catch((thrown: unknown) => thrown);

  it.each(['float', 'base64'] as const)('should get the same vectors as from the one behind, as %s', async (format) => {
    const there = await direct().embeddings.create({ model: remoteModel, input, encoding_format: format });
    const here = await client.embeddings.create({ model: 'sentences', input, encoding_format: format });
    expect(here).toEqual({ ...there, model: 'sentences' });
    expect(here.data).toHaveLength(2);
  });

  it('should get thousands of vectors', async () => {
    const many = Array.from({ length: 2048 }, (_, index) => `Text ${index}`);
    const { data, usage, model } = await client.embeddings.create({ model: 'sentences', input: many });
    expect(data.map(({ index }) => index)).toEqual(many.map((_, index) => index));
    expect(data.every(({ embedding }) => embedding.length === 512)).toBe(true);
    expect(usage.total_tokens).toBeGreaterThan(4000);
    expect(model).toBe('sentences');
  });

  it('should raise BadRequestError with the words of the one behind', async () => {
    const error = await failure(client.embeddings.create({ model: 'sentences', input: '' }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, param: 'input', code: 'upstream_rejected' });
    expect(String(error)).toContain('input must not be empty');
  });

  it.each(['locked', 'misnamed'])(
    'should raise InternalServerError where Keycard is configured wrongly (%s)',
    async (model) => {
      const error = await failure(client.embeddings.create({ model, input: 'a' }));
      expect(error).toBeInstanceOf(OpenAI.InternalServerError);
      expect(error).toMatchObject({ status: 502, code: 'upstream_failed' });
    },
  );

  it('should leave the same request id in both logs', async () => {
    const { _request_id: id } = await client.embeddings.create({ model: 'sentences', input: 'a' });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    for (const { logLines } of [front, back]) {
      expect(logLines.filter((line) => line.includes(`"requestId":"${id}"`))).toHaveLength(1);
    }
  });

  it('should have the work behind dropped when it goes away', async () => {
    front.logLines.length = 0;
    const controller = new AbortController();
    const many = Array.from({ length: 2000 }, (_, number) => `A text that nobody waits for, number ${number}`);
    const abandoned = client.embeddings.create({ model: 'sentences', input: many }, { signal: controller.signal });
    await client.models.list();
    controller.abort();
    await expect(abandoned).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect((await client.embeddings.create({ model: 'sentences', input: 'a' })).data).toHaveLength(1);
    expect(front.logLines.join('')).not.toMatch(/"level":[45]0/);
  });
});
