import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { describeGateway } from '../../src/ai-gateway/tasks/tasks.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';

const model = 'universal-sentence-encoder-lite';
const origin = 'https://app.example.com';
const [service, replica] = useReplicas({
  config: { models: defaultModels(), services: ['search'], corsOrigins: [origin] },
});
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
});

/** Every route under `/v1`, with the model in the path. */
const routes = Object.entries(describeGateway()).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace('{model}', model)}`),
);
const send = (route: string, url = service.url) =>
  call(url, route, { token: key.key, headers: { origin }, body: route.startsWith('POST') ? {} : undefined });
/** Anthropic's errors have a type instead of a code. */
const errorOn = (route: string, code: string) =>
  route.startsWith('POST /v1/messages') ? { type: 'rate_limit_error' } : { code };
const manage = (route: string, body: unknown) => call(service.url, route, { token: member.token, body });
const limitedInUsage = async () => {
  const [row] = await service.query<{ limited: number; requests: number }>(
    'select sum(limited)::int as limited, sum(requests)::int as requests from usage where api_key_id = $1',
    [key.id],
  );
  return row;
};

describe.each(routes)('%s', (route) => {
  it("should count against a limit on requests, be rejected beyond it, and show it in the response's headers", async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'hour', max: 1 }]);
    const first = await send(route);
    expect(first.status).not.toBe(429);
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    const second = await send(route, replica.url);
    expect(second.status).toBe(429);
    expect(second.body).toMatchObject({ error: errorOn(route, 'rate_limit_exceeded') });
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(second.headers.get('access-control-expose-headers')).toContain('ratelimit');
    expect(await limitedInUsage()).toMatchObject({ limited: 1 });
  });

  it('should be rejected by an exhausted budget of the organization', async () => {
    await manage('PATCH /organizations/current', { limits: [{ metric: 'requests', per: 'month', max: 1 }] });
    expect((await send(route)).status).not.toBe(429);
    const second = await send(route);
    expect(second.status).toBe(429);
    expect(second.body).toMatchObject({ error: errorOn(route, 'insufficient_quota') });
    expect(second.headers.get('x-should-retry')).toBe('false');
  });
});

describe('A rejected request', () => {
  const limits = [{ metric: 'requests', per: 'day', max: 5 } as const];

  it.each([
    ['the key is disabled', { enabled: false }],
    ['the address is not allowed', { addresses: ['203.0.113.7'] }],
  ])('should cost nothing if %s', async (_title, restriction) => {
    await setLimits(service, { keyId: key.id }, limits);
    await manage(`PATCH /api-keys/${key.id}`, restriction);
    expect((await send('GET /v1/models')).status).toBe(403);
    expect(await readCounters(service, key.id)).toEqual({ 'requests/day': [0, 0] });
  });

  it('should cost nothing if the model is not allowed', async () => {
    await setLimits(service, { keyId: key.id }, [...limits, { metric: 'tokens', per: 'day', max: 100 }]);
    await manage(`PATCH /api-keys/${key.id}`, { models: [] });
    const body = { model, input: 'A text' };
    expect((await call(service.url, 'POST /v1/embeddings', { token: key.key, body })).status).toBe(403);
    expect(await readCounters(service, key.id)).toEqual({ 'requests/day': [0, 0], 'tokens/day': [0, 0] });
  });
});

describe('A change of a limit', () => {
  it('should apply to the next request on every replica', async () => {
    await manage(`PATCH /api-keys/${key.id}`, { limits: [{ metric: 'requests', per: 'day', max: 1 }] });
    expect((await send('GET /v1/models', replica.url)).status).toBe(200);
    expect((await send('GET /v1/models', replica.url)).status).toBe(429);
    await manage(`PATCH /api-keys/${key.id}`, { limits: [{ metric: 'requests', per: 'day', max: 2 }] });
    expect((await send('GET /v1/models', replica.url)).status).toBe(200);
    expect((await send('GET /v1/models', service.url)).status).toBe(429);
    await manage(`PATCH /api-keys/${key.id}`, { limits: [] });
    const unlimited = await send('GET /v1/models', replica.url);
    expect([unlimited.status, unlimited.headers.get('ratelimit')]).toEqual([200, null]);
  });

  it('should follow the key through rotation', async () => {
    await manage(`PATCH /api-keys/${key.id}`, { limits: [{ metric: 'requests', per: 'day', max: 2 }] });
    await send('GET /v1/models');
    const rotated = await manage(`POST /api-keys/${key.id}/rotate`, { gracePeriodSeconds: 60 });
    const { key: newKey } = rotated.body as { key: string };
    expect((await call(service.url, 'GET /v1/models', { token: newKey })).status).toBe(200);
    expect((await send('GET /v1/models')).status).toBe(429);
    expect((await call(service.url, 'GET /v1/models', { token: newKey })).status).toBe(429);
  });
});
