import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { aiError } from '../setup/ai-error.js';
import { type CallResponse, call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';

const model = 'universal-sentence-encoder-lite';
const [service, replica] = useReplicas({ config: { trustProxy: true, models: defaultModels() } });
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
});

const list = (url = service.url, { key: token } = key) => call(url, 'GET /v1/models', { token });
const embed = (input: unknown, url = service.url, { key: token } = key) =>
  call(url, 'POST /v1/embeddings', { token, body: { model, input } });
const usedBy = (ownerId = key.id) => readCounters(service, ownerId);
const statuses = (responses: CallResponse[]) => responses.map(({ status }) => status);
const count = (responses: CallResponse[], status: number) => statuses(responses).filter((one) => one === status).length;

describe('A limit on requests', () => {
  it('should admit exactly as many concurrent requests as it allows, over two replicas', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'day', max: 100 }]);
    const responses = await Promise.all(
      Array.from({ length: 300 }, (_, index) => list(index % 2 === 0 ? service.url : replica.url)),
    );
    expect([count(responses, 200), count(responses, 429)]).toEqual([100, 200]);
    expect(await usedBy()).toEqual({ 'requests/day': [100, 0] });
  });

  it('should hold for all keys of a limited organization together', async () => {
    const other = await createApiKey(service, member);
    await setLimits(service, { organizationId: member.organizationId }, [
      { metric: 'requests', per: 'month', max: 30 },
    ]);
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'hour', max: 10 }]);
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => list(replica.url, index % 2 === 0 ? key : other)),
    );
    expect(count(responses, 200)).toBe(30);
    const counters = await usedBy(member.organizationId);
    expect(counters).toEqual({ 'requests/month': [30, 0] });
    expect((await usedBy())['requests/hour']?.[0]).toBeLessThanOrEqual(10);
  });

  it('should say which limit is exhausted and when to retry', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'minute', max: 2 }]);
    const first = await list();
    expect(first.headers.get('x-ratelimit-limit-requests')).toBe('2');
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('1');
    expect(first.headers.get('ratelimit-policy')).toBe('"key-requests-minute";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"key-requests-minute";r=1;t=\d+$/);
    await list();
    const response = await list();
    expect(response.status).toBe(429);
    expect(response.body).toEqual(
      aiError({
        message: expect.stringMatching(
          /^This key's limit of 2 requests per minute is exhausted: 2 requests charged and 0 requests reserved\. Retry in \d+ s\. Unused, it's reset in \d+ s\.$/,
        ) as unknown,
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
      }),
    );
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(response.headers.get('retry-after-ms'))).toBeGreaterThan(0);
  });
});

describe('A limit on tokens', () => {
  it('should charge exactly what requests used', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'day', max: 1000 }]);
    const response = await embed('A short sentence about keys.');
    expect(response.status).toBe(200);
    const { usage } = response.body as { usage: { prompt_tokens: number } };
    expect(await usedBy()).toEqual({ 'tokens/day': [usage.prompt_tokens, 0] });
    expect(response.headers.get('x-ratelimit-remaining-tokens')).toBe(String(1000 - usage.prompt_tokens));
  });

  it('should reject an embedded request that would exceed it, and charge nothing', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'month', max: 5 }]);
    const response = await embed('A sentence that is surely longer than five tokens, so that it must be rejected.');
    expect(response.status).toBe(429);
    expect(response.body).toMatchObject({ error: { code: 'insufficient_quota' } });
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await usedBy()).toEqual({ 'tokens/month': [0, 0] });
  });

  it.each([
    ['an invalid body', { model, input: 5 }, 400],
    ['an unknown model', { model: 'unknown', input: 'a' }, 404],
  ])('should give back what %s had reserved', async (_title, body, status) => {
    await setLimits(service, { keyId: key.id }, [
      { metric: 'tokens', per: 'day', max: 1000 },
      { metric: 'requests', per: 'day', max: 10 },
    ]);
    const response = await call(service.url, 'POST /v1/embeddings', { token: key.key, body });
    expect(response.status).toBe(status);
    expect(await usedBy()).toEqual({ 'requests/day': [1, 0], 'tokens/day': [0, 0] });
  });
});
