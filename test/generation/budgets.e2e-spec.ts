import type { Limit } from '../../src/limits/limit.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { generationModel, useGenerationGateway } from '../setup/generation-gateway.js';
import { generationBody } from '../setup/generation-request.js';
import { type Dialect, dialects } from '../setup/generation-upstream/request.js';
import { scripted } from '../setup/generation-upstream/script.js';

/** What an upstream may add to the input. */
const hiddenTokens = 1000;
const price = { perMillionTokens: { input: '1', output: '4' } };

const gateway = useGenerationGateway({
  models: ({ baseUrl }) => [
    generationModel({ baseUrl }, { id: 'mini', price }),
    generationModel({ baseUrl, outputLimitField: 'max_tokens' }, { id: 'older', price }),
    generationModel({ baseUrl }, { id: 'unpriced' }),
  ],
});

/** Without a limit on output. */
function bodyOf(dialect: Dialect, fields: object = {}, model = 'mini'): object {
  const body: Record<string, unknown> = { ...generationBody(dialect, model, scripted({ tokens: 500 })) };
  delete body.max_tokens;
  return { ...body, ...fields };
}

const inputBound = (body: object) => Buffer.byteLength(JSON.stringify(body)) + hiddenTokens;

async function keyWith(...limits: Limit[]): Promise<CreatedKey> {
  const key = await createApiKey(gateway, gateway.member);
  await setLimits(gateway, { keyId: key.id }, limits);
  return key;
}

const tokensPerDay = (max: number): Limit => ({ metric: 'tokens', per: 'day', max });
const costPerMonth = (max: number): Limit => ({ metric: 'cost', per: 'month', max: String(max) });

function send(dialect: Dialect, { key }: CreatedKey, body: object): Promise<Response> {
  return fetch(`${gateway.url}/v1/${dialect}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(dialect === 'messages' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
}

const lastRequest = () => gateway.upstream.requests.at(-1)?.json;
const outputLimitOf = (response: Response) => response.headers.get('x-keycard-output-limit');
const codeOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code?: string; type: string; message: string } };
  return [response.status, error.code ?? error.type];
};

const defaultFields: Record<Dialect, string> = {
  'chat/completions': 'max_completion_tokens',
  completions: 'max_tokens',
  responses: 'max_output_tokens',
  messages: 'max_tokens',
};

describe('Near the end of a budget, the output of a request', () => {
  it.each(dialects)('should be lowered to what is left: %s', async (dialect) => {
    const body = bodyOf(dialect);
    const key = await keyWith(tokensPerDay(inputBound(body) + 40));
    const response = await send(dialect, key, body);
    expect([response.status, outputLimitOf(response)]).toEqual([200, '40']);
    expect(lastRequest()).toMatchObject({ [defaultFields[dialect]]: 40 });
    expect(gateway.upstream.bills.at(-1)?.output).toBe(40);
    expect(await response.text()).toMatch(/"length"|"incomplete"|"max_tokens"/);
  });

  it.each(dialects)('should be lowered in streams, too: %s', async (dialect) => {
    const body = bodyOf(dialect, { stream: true });
    const response = await send(dialect, await keyWith(tokensPerDay(inputBound(body) + 30)), body);
    expect([response.status, outputLimitOf(response)]).toEqual([200, '30']);
    await response.text();
    expect(gateway.upstream.bills.at(-1)?.output).toBe(30);
  });

  it.each([
    ['chat/completions', 'max_tokens'],
    ['chat/completions', 'max_completion_tokens'],
    ['completions', 'max_tokens'],
    ['responses', 'max_output_tokens'],
    ['messages', 'max_tokens'],
  ] as const)("should be lowered in the client's own field: %s with %s", async (dialect, field) => {
    const body = bodyOf(dialect, { [field]: 300 });
    const response = await send(dialect, await keyWith(tokensPerDay(inputBound(body) + 25)), body);
    expect([response.status, outputLimitOf(response)]).toEqual([200, '25']);
    expect(lastRequest()).toEqual({
      ...(JSON.parse(JSON.stringify(body)) as object),
      ...overwritten(dialect),
      [field]: 25,
    });
  });

  it("should be lowered in the target's field if the client has set none", async () => {
    const body = bodyOf('chat/completions', {}, 'older');
    const response = await send('chat/completions', await keyWith(tokensPerDay(inputBound(body) + 40)), body);
    expect(outputLimitOf(response)).toBe('40');
    expect(lastRequest()).toMatchObject({ max_tokens: 40 });
    expect(lastRequest()).not.toHaveProperty('max_completion_tokens');
  });

  it('should be divided among choices', async () => {
    const body = bodyOf('chat/completions', { n: 3 });
    const response = await send('chat/completions', await keyWith(tokensPerDay(inputBound(body) + 3 * 20 + 2)), body);
    expect(outputLimitOf(response)).toBe('20');
    expect(gateway.upstream.bills.at(-1)?.output).toBe(60);
  });

  it('should be lowered to what a budget in money pays for', async () => {
    const body = bodyOf('chat/completions');
    const key = await keyWith(costPerMonth(inputBound(body) * 1000 + 50 * 4000 + 3999));
    const response = await send('chat/completions', key, body);
    expect(outputLimitOf(response)).toBe('50');
    const bill = gateway.upstream.bills.at(-1);
    const cost = (bill?.input ?? 0) * 1000 + (bill?.output ?? 0) * 4000;
    expect(await readCounters(gateway, key.id)).toEqual({ 'cost/month': [cost, 0] });
    expect(response.headers.get('x-keycard-cost')).toBe(String(cost / 1e9));
    const left = inputBound(body) * 1000 + 50 * 4000 + 3999 - cost;
    expect(Number(response.headers.get('x-keycard-budget-remaining'))).toBeCloseTo(left / 1e9, 9);
  });

  it('should stay as it is if it fits', async () => {
    const body = bodyOf('chat/completions', { max_completion_tokens: 100 });
    const response = await send('chat/completions', await keyWith(tokensPerDay(inputBound(body) + 100)), body);
    expect([response.status, outputLimitOf(response)]).toEqual([200, null]);
    expect(lastRequest()).toMatchObject({ max_completion_tokens: 100 });
  });

  it.each(dialects)('should not be lowered to fewer than 16 tokens: %s', async (dialect) => {
    const body = bodyOf(dialect);
    const before = gateway.upstream.requests.length;
    const response = await send(dialect, await keyWith(tokensPerDay(inputBound(body) + 15)), body);
    expect(await codeOf(response)).toEqual([429, dialect === 'messages' ? 'rate_limit_error' : 'insufficient_quota']);
    expect(gateway.upstream.requests).toHaveLength(before);
    const fits = await send(dialect, await keyWith(tokensPerDay(inputBound(body) + 16)), body);
    expect([fits.status, outputLimitOf(fits)]).toEqual([200, '16']);
  });

  it('should be fewer than 16 tokens if the client asks for fewer', async () => {
    const body = bodyOf('chat/completions', { max_completion_tokens: 5 });
    expect((await send('chat/completions', await keyWith(tokensPerDay(inputBound(body) + 5)), body)).status).toBe(200);
    expect((await send('chat/completions', await keyWith(tokensPerDay(inputBound(body) + 4)), body)).status).toBe(429);
  });

  it('should exceed what thinking may use', async () => {
    const body = bodyOf('messages', { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } });
    const rejected = await send('messages', await keyWith(tokensPerDay(inputBound(body) + 1024)), body);
    expect(rejected.status).toBe(429);
    const lowered = await send('messages', await keyWith(tokensPerDay(inputBound(body) + 1030)), body);
    expect([lowered.status, outputLimitOf(lowered)]).toEqual([200, '1030']);
  });

  it.each([1024.5, -1e300, 1e308, '1024', null])(
    'should be a whole number, whatever thinking is said to use: %p',
    async (budget_tokens) => {
      const body = bodyOf('messages', { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens } });
      const response = await send('messages', await keyWith(tokensPerDay(inputBound(body) + 2000)), body);
      expect([response.status, outputLimitOf(response)]).toEqual([200, null]);
    },
  );

  it('should be as much as the tightest of several budgets leaves', async () => {
    const body = bodyOf('chat/completions');
    const key = await keyWith(
      tokensPerDay(inputBound(body) + 100),
      { metric: 'tokens', per: 'month', max: inputBound(body) + 60, models: ['mini'] },
      { metric: 'tokens', per: 'week', max: inputBound(body) + 20, models: ['older'] },
    );
    expect(outputLimitOf(await send('chat/completions', key, body))).toBe('60');
  });
});

/** What Keycard adds to a body. */
function overwritten(dialect: Dialect): object {
  return { model: 'remote-small', ...(dialect === 'responses' && { store: false }) };
}

describe('A budget in money', () => {
  it('should say what a response has cost and what is left, and before a stream what was left', async () => {
    const key = await keyWith(costPerMonth(1e9));
    const plain = await send('chat/completions', key, bodyOf('chat/completions'));
    const cost = Number(plain.headers.get('x-keycard-cost'));
    expect(cost).toBeGreaterThan(0);
    const remaining = plain.headers.get('x-keycard-budget-remaining');
    expect(Number(remaining)).toBeCloseTo(1 - cost, 9);
    const stream = await send('chat/completions', key, bodyOf('chat/completions', { stream: true }));
    expect(stream.headers.get('x-keycard-budget-remaining')).toBe(remaining);
    expect(stream.headers.get('x-keycard-cost')).toBe('0');
    await stream.text();
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key.key}` } });
    expect(Number(models.headers.get('x-keycard-budget-remaining'))).toBeCloseTo(1 - 2 * cost, 9);
  });

  it('should not be spent on a model without a price', async () => {
    const key = await keyWith(costPerMonth(1e9));
    const response = await send('chat/completions', key, bodyOf('chat/completions', {}, 'unpriced'));
    expect(await codeOf(response)).toEqual([403, 'model_without_price']);
    expect(await readCounters(gateway, key.id)).toEqual({ 'cost/month': [0, 0] });
  });

  it('should not be asked of a model that it does not limit', async () => {
    const key = await keyWith({ metric: 'cost', per: 'month', max: '1000', models: ['mini'] });
    expect((await send('chat/completions', key, bodyOf('chat/completions', {}, 'unpriced'))).status).toBe(200);
  });

  it('should name what is charged and reserved, and when it resets, if a request can never fit', async () => {
    const key = await keyWith(costPerMonth(1000));
    const response = await send('chat/completions', key, bodyOf('chat/completions'));
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toMatch(
      /^This key's limit of 0\.000001 USD per month is less than the 0\.00\d+ USD that the request may use\. It has 0 USD charged and 0 USD reserved\. It resets at 20\d\d-\d\d-01T00:00:00\.000Z\.$/,
    );
    expect(response.headers.get('x-should-retry')).toBe('false');
  });
});
