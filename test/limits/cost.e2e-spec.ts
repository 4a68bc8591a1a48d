import fc from 'fast-check';
import type { Limit } from '../../src/limits/limit.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { respondWithEmbeddings, startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

let upstream: Upstream;
let key: CreatedKey;

const service = useTestApp(async () => {
  upstream = await startUpstream();
  const priced = (id: string, input: string) =>
    upstreamModel([upstream], { id, price: { perMillionTokens: { input } } });
  const models = [priced('cheap', '0.0123'), priced('dear', '7.5'), upstreamModel([upstream], { id: 'unpriced' })];
  return { config: { models } };
});
afterAll(() => upstream.stop());

beforeEach(async () => {
  upstream.respond = respondWithEmbeddings();
  key = await createApiKey(service, await createMember(service));
});

const limitCost = (max: string, fields: Partial<Limit> = {}) =>
  setLimits(service, { keyId: key.id }, [{ metric: 'cost', per: 'month', max, ...fields }]);
const embed = (model: string, input: string) =>
  call(service.url, 'POST /v1/embeddings', { token: key.key, body: { model, input } });
const recordedCost = async () => {
  const [row] = await service.query<{ cost: string | null }>(
    'select sum(cost) as cost from usage where api_key_id = $1',
    [key.id],
  );
  return Number(row?.cost ?? 0);
};
const charged = async () => Object.values(await readCounters(service, key.id))[0];

describe('A budget in money', () => {
  it('should be charged exactly what usage records as the cost', async () => {
    const someRequests = fc.array(
      fc.record({ model: fc.constantFrom('cheap', 'dear'), tokens: fc.integer({ min: 1, max: 5000 }) }),
      { minLength: 1, maxLength: 12 },
    );
    await limitCost('1000000000000');
    const property = fc.asyncProperty(someRequests, async (requests) => {
      const tokens = requests.map((request) => request.tokens);
      upstream.respond = (...args) => respondWithEmbeddings(tokens.pop() ?? 1)(...args);
      const responses = await Promise.all(requests.map(({ model }) => embed(model, 'x'.repeat(100))));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await charged())?.[0]).toBe(await recordedCost());
    });
    await fc.assert(property, { numRuns: 15 });
    expect(await recordedCost()).toBeGreaterThan(0);
    // Busy keys hold what the next request needs for up to a second.
    await waitFor(async () => (await charged())?.[1] === 0);
  });

  it('should say what a request has cost and what is left', async () => {
    await limitCost('1000000');
    upstream.respond = respondWithEmbeddings(100);
    const { headers } = await embed('dear', 'x'.repeat(100));
    expect(headers.get('x-keycard-cost')).toBe('0.00075');
    expect(headers.get('x-keycard-budget-remaining')).toBe('0.00025');
  });

  it('should admit exactly as many requests as it pays for, even at once', async () => {
    // Each holds and uses the cost of as many tokens as its input has bytes: three with quotes.
    await limitCost(String(10 * 3 * 7500));
    upstream.respond = respondWithEmbeddings(3);
    const responses = await Promise.all(Array.from({ length: 40 }, () => embed('dear', 'a')));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(await charged()).toEqual([10 * 3 * 7500, 0]);
    const rejected = await embed('dear', 'a');
    expect(rejected.status).toBe(429);
    expect(rejected.body).toMatchObject({
      error: {
        code: 'insufficient_quota',
        message: expect.stringMatching(
          /^This key's limit of 0\.000225 USD per month is exhausted: 0\.000225 USD charged and 0 USD reserved\. It resets at 20\d\d-\d\d-01T00:00:00\.000Z\.$/,
        ) as unknown,
      },
    });
  });

  it('should reject a model without a price, and charge nothing for it', async () => {
    await setLimits(service, { keyId: key.id }, [
      { metric: 'cost', per: 'day', max: '1000000000' },
      { metric: 'requests', per: 'day', max: 10 },
    ]);
    const before = upstream.requests.length;
    const response = await embed('unpriced', 'a');
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({
      error: {
        code: 'model_without_price',
        message: "The model unpriced has no price, so its cost can't be limited. Use a model with a price.",
      },
    });
    expect(upstream.requests).toHaveLength(before);
    expect(await readCounters(service, key.id)).toEqual({ 'cost/day': [0, 0], 'requests/day': [0, 0] });
  });

  it('should allow a model without a price if it only applies to others', async () => {
    await limitCost('1000000000', { models: ['cheap', 'dear'] });
    expect((await embed('unpriced', 'a')).status).toBe(200);
    expect(await charged()).toEqual([0, 0]);
  });
});
