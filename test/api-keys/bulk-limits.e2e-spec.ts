import { DataSource } from 'typeorm';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { LimitDto, LimitStateDto } from '../../src/limits/dto/limit.dto.js';
import { maxLimits } from '../../src/common/rules/limit-rules.js';
import { type CreatedKey, createRestrictedKey } from '../factories/api-keys.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const service = useTestApp();
let member: Member;

const perDay: LimitDto = { metric: 'requests', per: 'day', max: 100, notifyAt: [80] };
const perMonth: LimitDto = { metric: 'requests', per: 'month', max: 1000 };
const budget: LimitDto = { metric: 'cost', per: 'month', max: '25' };
const running: LimitDto = { metric: 'concurrency', max: 5 };
const ofModel: LimitDto = { ...perDay, models: ['b', 'a'] };

beforeEach(async () => {
  member = await createMember(service);
});

const createKey = (name: string, limits: LimitDto[]) => createRestrictedKey(service, member, { name, limits });
const update = (body: object, token: string | undefined = member.token) =>
  call(service.url, 'POST /api-keys/bulk-update', { token, body });
const set = (keys: CreatedKey[], ...setLimits: LimitDto[]) => update({ ids: keys.map(({ id }) => id), setLimits });

async function statesOf({ id }: CreatedKey): Promise<LimitStateDto[]> {
  const { body } = await call(service.url, `GET /api-keys/${id}`, { token: member.token });
  return (body as ApiKeyDetailsDto).limits;
}

/** The metric, period, models and maximum of each limit of a key. */
async function limitsOf(key: CreatedKey): Promise<string[]> {
  return (await statesOf(key)).map(({ metric, per = '', models = [], max }) => [metric, per, ...models, max].join(' '));
}

const updates = async () =>
  (await readAuditEvents(service, { organizationId: member.organizationId }))
    .filter(({ action }) => action === 'api-key.update')
    .map(({ targetName, before, after }) => ({ targetName, before, after }));

const published = async () => {
  const rows = await service.query<{ type: string }>(
    `select type from events where organization_id = $1 and type <> 'api_key.created' order by id`,
    [member.organizationId],
  );
  return rows.map(({ type }) => type);
};

describe('setLimits of POST /api-keys/bulk-update', () => {
  it('should add limits to those of each key, with an audit event that has all of them', async () => {
    const [limited, unlimited] = [await createKey('Limited', [perDay]), await createKey('Unlimited', [])];
    const response = await set([limited, unlimited], running, budget);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ids: [limited.id, unlimited.id], notFoundIds: [] });
    expect(await limitsOf(limited)).toEqual(['requests day 100', 'cost month 25', 'concurrency  5']);
    expect(await limitsOf(unlimited)).toEqual(['cost month 25', 'concurrency  5']);
    expect(await updates()).toEqual([
      { targetName: 'Limited', before: { limits: [perDay] }, after: { limits: [perDay, budget, running] } },
      { targetName: 'Unlimited', before: { limits: null }, after: { limits: [budget, running] } },
    ]);
  });

  it('should replace a limit with the same metric, period and models as a whole', async () => {
    const key = await createKey('Limited', [perDay, ofModel, { ...perDay, models: ['a'] }]);
    await set([key], { metric: 'requests', per: 'day', max: 7, models: ['a', 'b'] });
    expect(await limitsOf(key)).toEqual(['requests day 100', 'requests day a 100', 'requests day a b 7']);
    expect((await statesOf(key)).map(({ notifyAt }) => notifyAt)).toEqual([[80], [80], undefined]);
  });

  it('should keep what is used of limits that stay or change', async () => {
    const key = await createKey('Limited', [perDay, perMonth]);
    const body = { model: 'universal-sentence-encoder-lite', input: 'Hello, world' };
    expect((await call(service.url, 'POST /v1/embeddings', { token: key.key, body })).status).toBe(200);
    await set([key], { ...perDay, max: 50 }, running);
    expect(await statesOf(key)).toMatchObject([
      { metric: 'requests', per: 'day', max: 50, used: 1, remaining: 49 },
      { metric: 'requests', per: 'month', max: 1000, used: 1, remaining: 999 },
      { metric: 'concurrency', used: 0 },
    ]);
  });

  it('should apply to the next request', async () => {
    const key = await createKey('Limited', []);
    const request = () => call(service.url, 'GET /v1/models', { token: key.key }).then(({ status }) => status);
    expect(await request()).toBe(200);
    await set([key], { metric: 'requests', per: 'hour', max: 1 });
    expect([await request(), await request()]).toEqual([200, 429]);
  });

  it('should change nothing about keys that have the limits already, or without any limit', async () => {
    const key = await createKey('Limited', [perDay, budget]);
    expect((await set([key], { ...budget, max: '25.00' })).status).toBe(200);
    expect((await set([key])).status).toBe(200);
    expect(await limitsOf(key)).toEqual(['requests day 100', 'cost month 25']);
    expect(await updates()).toEqual([]);
  });

  it('should change no key if one would have more limits than a key may have, and name it', async () => {
    const full = Array.from({ length: maxLimits }, (_, index) => ({ ...perDay, models: [`model-${index}`] }));
    const [first, last] = [await createKey('First', [perDay]), await createKey('Full', full)];
    const response = await set([first, last], budget);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ field: 'setLimits', message: 'Full would have 31 limits. A key has at most 30.' }],
    });
    expect(await limitsOf(first)).toEqual(['requests day 100']);
    expect(await limitsOf(last)).toHaveLength(maxLimits);
    expect(await updates()).toEqual([]);
    expect((await set([first, last], { ...perDay, models: ['model-7'], max: 1 })).status).toBe(200);
  });

  it('should keep the limits of requests that change the same keys at the same time', async () => {
    const keys = [await createKey('First', [perDay]), await createKey('Second', [])];
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('select from api_keys where organization_id = $1 for update', [member.organizationId]);
    const responses = [set(keys, budget), set(keys.toReversed(), running), set(keys, perMonth)];
    await waitFor(async () => (await countLockWaits(service)) === responses.length);
    await blocker.rollbackTransaction();
    await blocker.release();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const added = ['requests month 1000', 'cost month 25', 'concurrency  5'];
    expect(await Promise.all(keys.map(limitsOf))).toEqual([['requests day 100', ...added], added]);
  });

  it('should publish the event of a changed key, as limits do', async () => {
    const keys = [await createKey('First', []), await createKey('Second', [budget])];
    await set(keys, budget);
    expect(await published()).toEqual(['api_key.updated']);
    await update({ ids: keys.map(({ id }) => id), limits: [running] });
    expect(await published()).toEqual(['api_key.updated', 'api_key.updated', 'api_key.updated']);
  });

  it('should skip and list keys of other organizations', async () => {
    const own = await createKey('Own', []);
    const stranger = await createMember(service);
    const foreign = await createRestrictedKey(service, stranger, { name: 'Foreign', limits: [perDay] });
    const response = await set([own, foreign], budget);
    expect(response.body).toEqual({ ids: [own.id], notFoundIds: [foreign.id] });
    const { body } = await call(service.url, `GET /api-keys/${foreign.id}`, { token: stranger.token });
    expect((body as ApiKeyDetailsDto).limits).toHaveLength(1);
  });

  it('should be rejected together with limits', async () => {
    const key = await createKey('Limited', [perDay]);
    const response = await update({ ids: [key.id], limits: [], setLimits: [budget] });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ field: 'setLimits', message: 'Send limits or setLimits, not both.' }],
    });
    expect(await limitsOf(key)).toEqual(['requests day 100']);
  });

  it.each([
    ['setLimits', null],
    ['setLimits', budget],
    ['setLimits', [budget, { ...budget, max: '5' }]],
    ['setLimits', Array.from({ length: maxLimits + 1 }, (_, index) => ({ ...perDay, models: [`model-${index}`] }))],
    ['setLimits.1.max', [budget, { ...perDay, max: 0 }]],
    ['setLimits.0.per', [{ ...budget, per: 'minute' }]],
  ])('should reject an invalid %s: %j', async (field, setLimits) => {
    const key = await createKey('Limited', [perDay]);
    const response = await update({ ids: [key.id], setLimits });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
    expect(await updates()).toEqual([]);
  });

  it('should require a token and the permission to update keys', async () => {
    const key = await createKey('Limited', [perDay]);
    const body = { ids: [key.id], setLimits: [budget] };
    expect((await call(service.url, 'POST /api-keys/bulk-update', { body })).status).toBe(401);
    const { organizationId } = member;
    const reader = await createMember(service, { organizationId, permissions: ['get-api-keys', 'create-api-keys'] });
    expect((await update(body, reader.token)).status).toBe(403);
    expect(await limitsOf(key)).toEqual(['requests day 100']);
  });
});

describe('GET /api-keys?include=limits', () => {
  const list = async (query: string) =>
    (await call(service.url, `GET /api-keys?${query}`, { token: member.token })).body;

  it('should add the limits of each key without their state, also together with other additions', async () => {
    await createKey('Limited', [running, budget, ofModel]);
    await createKey('Unlimited', []);
    const limits = [{ ...ofModel, models: ['a', 'b'] }, budget, running];
    expect(await list('include=limits')).toMatchObject({ apiKeys: [{ limits: [] }, { limits }] });
    expect(await list('include=limits&include=use&orderBy=creator&order=ASC')).toMatchObject({
      apiKeys: [{ limits, fullestLimit: { used: 0 } }, { limits: [] }],
    });
  });

  it('should be what adds them', async () => {
    await createKey('Limited', [budget]);
    const { apiKeys } = (await list('include=use')) as { apiKeys: object[] };
    expect(apiKeys[0]).not.toHaveProperty('limits');
  });
});
