import { mistralClients, openAiClients } from '../contract/client-versions.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';

const model = 'universal-sentence-encoder-lite';
const service = useTestApp();
let key: CreatedKey;
let requests: number;

beforeEach(async () => {
  key = await createApiKey(service, await createMember(service));
  requests = 0;
});

/** Counts the requests that a client sends. */
const countingFetch: typeof fetch = (input, init) => {
  requests += 1;
  return fetch(input, init);
};

describe.each(openAiClients)('The $version client', ({ OpenAI }) => {
  const openAi = () => new OpenAI({ baseURL: `${service.url}/v1`, apiKey: key.key, fetch: countingFetch });

  it('should wait as told and succeed when a limit per second is exhausted', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'second', max: 1 }]);
    const client = openAi();
    await client.models.list();
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toContain(model);
    expect(requests).toBe(3);
    expect(await readCounters(service, key.id)).toEqual({ 'requests/second': [expect.any(Number), 0] });
  });

  it('should not retry when a budget is exhausted', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'month', max: 1 }]);
    const failure: unknown = await openAi()
      .embeddings.create({ model, input: 'More than one token' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OpenAI.RateLimitError);
    expect(failure).toMatchObject({ status: 429, code: 'insufficient_quota', type: 'insufficient_quota' });
    expect(requests).toBe(1);
  });
});

describe.each(mistralClients)('The $version client', ({ Mistral, errors }) => {
  it('should wait as told and succeed when a limit per second is exhausted', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'second', max: 1 }]);
    const client = new Mistral({ serverURL: service.url, apiKey: key.key, retryConfig: { strategy: 'backoff' } });
    await client.models.list();
    const listed = await client.models.list();
    expect(listed.data).not.toHaveLength(0);
  });

  it('should report an exhausted budget', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'day', max: 1 }]);
    const client = new Mistral({ serverURL: service.url, apiKey: key.key, retryConfig: { strategy: 'none' } });
    await client.models.list();
    const failure: unknown = await client.models.list().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(errors.MistralError);
    expect(failure).toMatchObject({ statusCode: 429 });
  });
});
