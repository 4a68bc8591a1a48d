import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { type CreatedKey, createApiKey, createRestrictedKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsage, recordUsageAt } from '../factories/usage.js';
import { daysAgo, runRetention } from '../retention/retained-usage.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp({ config: { currency: 'EUR' } });
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
});

const read = async (query = 'include=use', token = member.token) =>
  (await call(service.url, `GET /api-keys?${query}`, { token })).body as ApiKeyListDto;
const list = async (...query: Parameters<typeof read>) => (await read(...query)).apiKeys;

const facts = (count: number, fields = {}) =>
  Array.from({ length: count }, () => ({ organizationId: member.organizationId, apiKeyId: key.id, ...fields }));

describe('GET /api-keys?include=use', () => {
  it('should add the usage of seven UTC days to each key, whether it is packed or not', async () => {
    const idle = await createApiKey(service, member, 'Idle');
    await recordUsageAt(service, `${daysAgo(7)}T23:00:00Z`, facts(16));
    await recordUsageAt(service, `${daysAgo(6)}T00:00:00Z`, facts(4));
    await recordUsageAt(service, `${daysAgo(2)}T10:00:00Z`, facts(2, { model: 'other' }));
    await recordUsage(service, [...facts(1, { outcome: 'failure' }), ...facts(1, { cost: 5_000_000n })]);
    const expected = {
      requests: 8,
      failures: 1,
      cost: '0.005',
      requestsByDay: [4, 0, 0, 0, 2, 0, 2],
    };
    expect(await list()).toMatchObject([
      { id: idle.id, recentUsage: { requests: 0, failures: 0, cost: null, requestsByDay: [0, 0, 0, 0, 0, 0, 0] } },
      { id: key.id, recentUsage: expected },
    ]);
    await runRetention(service);
    expect((await list())[1]).toMatchObject({ id: key.id, recentUsage: expected });
  });

  it('should add the limit closest to its maximum', async () => {
    const limits = [
      { metric: 'requests' as const, per: 'day' as const, max: 100 },
      { metric: 'requests' as const, per: 'month' as const, max: 10 },
    ];
    const limited = await createRestrictedKey(service, member, { name: 'Limited', limits });
    const body = { model: 'universal-sentence-encoder-lite', input: 'a' };
    await call(service.url, 'POST /v1/embeddings', { token: limited.key, body });
    const [first, second] = await list();
    expect(first?.fullestLimit).toMatchObject({ metric: 'requests', per: 'month', max: 10, used: 1, remaining: 9 });
    expect(second).not.toHaveProperty('fullestLimit');
  });

  it('should add the limit in money closest to its maximum, however full others are', async () => {
    const limits = [
      { metric: 'cost' as const, per: 'month' as const, max: '45.5' },
      { metric: 'requests' as const, per: 'day' as const, max: 1 },
    ];
    const limited = await createRestrictedKey(service, member, { name: 'Limited', limits });
    const body = { model: 'universal-sentence-encoder-lite', input: 'a' };
    await call(service.url, 'POST /v1/embeddings', { token: limited.key, body });
    const [first, second] = await list();
    expect(first?.fullestLimit).toMatchObject({ metric: 'requests' });
    expect(first?.fullestCostLimit).toMatchObject({ metric: 'cost', per: 'month', max: '45.5', used: '0' });
    expect(second).not.toHaveProperty('fullestCostLimit');
  });

  it('should leave out usage without the permission to see it', async () => {
    const { organizationId } = member;
    const reader = await createMember(service, { organizationId, permissions: ['get-api-keys'] });
    const [apiKey] = await list('include=use', reader.token);
    expect(apiKey).toMatchObject({ id: key.id });
    expect(apiKey).not.toHaveProperty('recentUsage');
  });

  it('should name the currency of costs and limits', async () => {
    expect((await read()).currency).toBe('EUR');
    expect(await read('')).not.toHaveProperty('currency');
  });

  it('should add nothing unless it is asked for, and reject other values', async () => {
    expect((await list(''))[0]).not.toHaveProperty('recentUsage');
    const response = await call(service.url, 'GET /api-keys?include=all', { token: member.token });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'include' }] });
  });
});
