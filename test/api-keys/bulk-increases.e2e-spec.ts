import { DataSource } from 'typeorm';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import { maxLimits } from '../../src/common/rules/limit-rules.js';
import type { IncreaseLimitDto } from '../../src/limits/dto/increase-limit.dto.js';
import type { LimitDto, LimitStateDto } from '../../src/limits/dto/limit.dto.js';
import { type CreatedKey, createRestrictedKey } from '../factories/api-keys.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const [service, other] = useReplicas();
let member: Member;

const until = '2999-01-01T00:00:00.000Z';
const budget: LimitDto = { metric: 'cost', per: 'month', max: '25', notifyAt: [80] };
const perDay: LimitDto = { metric: 'requests', per: 'day', max: 100 };
const ofModels: LimitDto = { ...perDay, max: 50, models: ['a', 'b'] };
const running: LimitDto = { metric: 'concurrency', max: 5 };
const raised = { by: '20', until };
const moreCost: IncreaseLimitDto = { metric: 'cost', per: 'month', increase: raised };

beforeEach(async () => {
  member = await createMember(service);
});

const createKey = (name: string, limits: LimitDto[]) => createRestrictedKey(service, member, { name, limits });
const update = (body: object, token: string | undefined = member.token, { url } = service) =>
  call(url, 'POST /api-keys/bulk-update', { token, body });
const increase = (keys: CreatedKey[], ...increaseLimits: IncreaseLimitDto[]) =>
  update({ ids: keys.map(({ id }) => id), increaseLimits });

async function statesOf({ id }: CreatedKey, { token } = member): Promise<LimitStateDto[]> {
  const { body } = await call(service.url, `GET /api-keys/${id}`, { token });
  return (body as ApiKeyDetailsDto).limits;
}

/** The limits of a key as they were set. */
async function limitsOf(key: CreatedKey): Promise<object[]> {
  const stateFields = ['used', 'reserved', 'estimated', 'remaining', 'resetsAt', 'isIncreased'];
  return (await statesOf(key)).map((state) =>
    Object.fromEntries(Object.entries(state).filter(([field]) => !stateFields.includes(field))),
  );
}

const updates = async () =>
  (await readAuditEvents(service, { organizationId: member.organizationId }))
    .filter(({ action }) => action === 'api-key.update')
    .map(({ targetName, before, after }) => ({ targetName, before, after }));

describe('increaseLimits of POST /api-keys/bulk-update', () => {
  it("should raise the keys' own limits, which keep their maximums and alerts, with an audit event for each", async () => {
    const small = await createKey('Small', [budget, perDay]);
    const large = await createKey('Large', [{ ...budget, max: '60' }]);
    const response = await increase([large, small], { ...moreCost, increase: { ...raised, by: '20.00' } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ids: [large.id, small.id], notFoundIds: [] });
    const after = [perDay, { ...budget, increase: raised }];
    expect(await limitsOf(small)).toEqual(after);
    expect(await statesOf(small)).toMatchObject([{ remaining: 100 }, { remaining: '45', isIncreased: true }]);
    expect(await statesOf(large)).toMatchObject([{ max: '60', notifyAt: [80], increase: raised, remaining: '80' }]);
    expect(await updates()).toEqual([
      { targetName: 'Small', before: { limits: [perDay, budget] }, after: { limits: after } },
      {
        targetName: 'Large',
        before: { limits: [{ ...budget, max: '60' }] },
        after: { limits: [{ ...budget, max: '60', increase: raised }] },
      },
    ]);
  });

  it('should skip keys without the limit, and limits on other models, metrics or periods', async () => {
    const unlimited = await createKey('Unlimited', []);
    const limited = await createKey('Limited', [perDay, ofModels, { ...perDay, models: ['a'] }, running]);
    const more = { by: 5, until };
    const response = await increase(
      [unlimited, limited],
      { metric: 'requests', per: 'day', models: ['b', 'a'], increase: more },
      { metric: 'requests', per: 'month', increase: more },
    );
    expect(response.body).toEqual({ ids: [unlimited.id, limited.id], notFoundIds: [] });
    expect(await limitsOf(unlimited)).toEqual([]);
    const limits = [perDay, { ...perDay, models: ['a'] }, { ...ofModels, increase: more }, running];
    expect(await limitsOf(limited)).toEqual(limits);
    expect((await updates()).map(({ targetName }) => targetName)).toEqual(['Limited']);
  });

  it('should replace a current increase, or remove it with null', async () => {
    const key = await createKey('Limited', [
      { ...budget, increase: { by: '5', until: '2020-01-01T00:00:00.000Z' } },
      { ...running, increase: { by: 1, until } },
    ]);
    await increase([key], moreCost, { metric: 'concurrency', increase: null });
    expect(await limitsOf(key)).toEqual([{ ...budget, increase: raised }, running]);
    await increase([key], { ...moreCost, increase: null });
    expect(await limitsOf(key)).toEqual([budget, running]);
  });

  it('should change nothing about keys that already are as requested, or without any increase', async () => {
    const keys = [await createKey('Increased', [{ ...budget, increase: raised }]), await createKey('Plain', [perDay])];
    const sameTime = { by: '20.00', until: '2999-01-01T01:00:00+01:00' };
    expect((await increase(keys, { ...moreCost, increase: sameTime })).status).toBe(200);
    expect((await increase(keys, { metric: 'requests', per: 'day', increase: null })).status).toBe(200);
    expect((await increase(keys)).status).toBe(200);
    expect(await updates()).toEqual([]);
  });

  it('should apply to the next request on every replica, and keep what is used', async () => {
    const key = await createKey('Limited', [{ metric: 'requests', per: 'day', max: 1 }]);
    const request = ({ url } = service) => call(url, 'GET /v1/models', { token: key.key }).then(({ status }) => status);
    const change = (wanted: IncreaseLimitDto['increase']) =>
      increase([key], { metric: 'requests', per: 'day', increase: wanted });
    expect([await request(), await request(other)]).toEqual([200, 429]);
    await change({ by: 2, until });
    expect(await statesOf(key)).toMatchObject([{ max: 1, used: 1, remaining: 2, isIncreased: true }]);
    expect([await request(other), await request(), await request(other)]).toEqual([200, 200, 429]);
    await change({ by: 3, until });
    expect(await request(other)).toBe(200);
    await change(null);
    expect([await request(other), await request()]).toEqual([429, 429]);
    expect(await statesOf(key)).toMatchObject([{ used: 4, remaining: 0, isIncreased: false }]);
  });

  it('should leave an event for an alert that a key has passed, when its increase is removed', async () => {
    const key = await createKey('Limited', [
      { metric: 'requests', per: 'day', max: 2, notifyAt: [50], increase: { by: 10, until } },
    ]);
    await call(service.url, 'GET /v1/models', { token: key.key });
    await increase([key], { metric: 'requests', per: 'day', increase: null });
    const threshold = { metric: 'requests', per: 'day', percent: 50, charged: 1, max: 2 };
    await waitFor(async () =>
      (await readAuditEvents(service, { targetId: key.id })).some(({ action }) => action === 'limit.threshold'),
    );
    const events = await readAuditEvents(service, { targetId: key.id });
    expect(events.filter(({ action }) => action === 'limit.threshold')).toMatchObject([{ after: threshold }]);
  });

  it('should change no key if another change of the request is rejected', async () => {
    const tags = Array.from({ length: 10 }, (_, index) => `tag-${index}`);
    const first = await createKey('First', [budget]);
    const tagged = await createRestrictedKey(service, member, { name: 'Tagged', limits: [budget], tags });
    const ids = [first.id, tagged.id];
    const response = await update({ ids, increaseLimits: [moreCost], addTags: ['one-more'] });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'addTags' }] });
    expect([await limitsOf(first), await limitsOf(tagged)]).toEqual([[budget], [budget]]);
    expect(await updates()).toEqual([]);
  });

  it('should keep the limits of requests that change the same keys at the same time', async () => {
    const keys = [await createKey('First', [budget]), await createKey('Second', [budget, perDay])];
    const ids = keys.map(({ id }) => id);
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('select from api_keys where organization_id = $1 for update', [member.organizationId]);
    const morePerDay = { metric: 'requests', per: 'day', increase: { by: 5, until } };
    const responses = [
      increase(keys, moreCost),
      update({ ids: ids.toReversed(), increaseLimits: [morePerDay] }, member.token, other),
      update({ ids, setLimits: [running] }, member.token, other),
    ];
    await waitFor(async () => (await countLockWaits(service)) === responses.length);
    await blocker.rollbackTransaction();
    await blocker.release();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const changed = [{ ...budget, increase: raised }, running];
    expect(await Promise.all(keys.map(limitsOf))).toEqual([
      changed,
      [{ ...perDay, increase: morePerDay.increase }, ...changed],
    ]);
  });

  it('should skip and list keys of other organizations', async () => {
    const own = await createKey('Own', [budget]);
    const stranger = await createMember(service);
    const foreign = await createRestrictedKey(service, stranger, { name: 'Foreign', limits: [budget] });
    const response = await increase([own, foreign], moreCost);
    expect(response.body).toEqual({ ids: [own.id], notFoundIds: [foreign.id] });
    expect(await statesOf(foreign, stranger)).toMatchObject([{ remaining: '25', isIncreased: false }]);
    expect((await statesOf(foreign, stranger))[0]).not.toHaveProperty('increase');
  });

  it.each(['limits', 'setLimits'])('should be rejected together with %s', async (field) => {
    const key = await createKey('Limited', [budget]);
    const response = await update({ ids: [key.id], [field]: [perDay], increaseLimits: [moreCost] });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ field: 'increaseLimits', message: 'Send increaseLimits without limits or setLimits.' }],
    });
    expect(await limitsOf(key)).toEqual([budget]);
  });

  const morePerDay = { metric: 'requests', per: 'day', increase: { by: 5, until } };
  const notAList = 'increaseLimits must be a list of objects with metric, per and increase.';
  const notAnIncrease = 'increaseLimits.0.increase must be null or an object with by and until.';

  it.each<[field: string, increaseLimits: unknown, message: string]>([
    ['increaseLimits', null, notAList],
    ['increaseLimits', morePerDay, notAList],
    ['increaseLimits', [morePerDay, 'more'], notAList],
    [
      'increaseLimits',
      [morePerDay, moreCost, morePerDay],
      'increaseLimits must have at most one limit of requests per day.',
    ],
    [
      'increaseLimits',
      [
        { ...morePerDay, models: ['a', 'b'] },
        { ...morePerDay, models: ['b', 'a'], increase: null },
      ],
      'increaseLimits must have at most one limit of requests per day for the same models.',
    ],
    [
      'increaseLimits',
      Array.from({ length: maxLimits + 1 }, (_, index) => ({ ...morePerDay, models: [`model-${index}`] })),
      'increaseLimits must have at most 30 limits.',
    ],
    [
      'increaseLimits.1.metric',
      [moreCost, { ...morePerDay, metric: 'characters' }],
      'increaseLimits.1.metric must be one of requests, tokens, pages, cost, concurrency.',
    ],
    [
      'increaseLimits.0.per',
      [{ ...moreCost, per: 'minute' }],
      'increaseLimits.0.per must be one of day, week, month for cost.',
    ],
    [
      'increaseLimits.0.models',
      [{ ...moreCost, models: [] }],
      'increaseLimits.0.models must be null or a list of 1 to 100 model ids of 1 to 200 characters, each once.',
    ],
    ['increaseLimits.0.increase', [{ metric: 'cost', per: 'month' }], notAnIncrease],
    ['increaseLimits.0.increase', [{ ...moreCost, increase: 5 }], notAnIncrease],
    [
      'increaseLimits.0.increase.by',
      [{ ...moreCost, increase: { by: 5, until } }],
      'increaseLimits.0.increase.by must be a decimal string above 0 and at most 1000000000, with up to 9 decimals, such as "25.00".',
    ],
    [
      'increaseLimits.0.increase.by',
      [{ metric: 'concurrency', increase: { by: 1_000_001, until } }],
      'increaseLimits.0.increase.by must be an integer between 1 and 1000000.',
    ],
    [
      'increaseLimits.0.increase.until',
      [{ ...moreCost, increase: { by: '5', until: '2999-01-01' } }],
      'increaseLimits.0.increase.until must be a date and time with a UTC offset, such as 2026-01-31T09:30:00Z, in the years 2000 to 2999.',
    ],
    ['increaseLimits.0.max', [{ ...moreCost, max: '5' }], 'increaseLimits.0.max is not a known field.'],
  ])('should reject an invalid %s: %j', async (field, increaseLimits, message) => {
    const key = await createKey('Limited', [budget]);
    const response = await update({ ids: [key.id], increaseLimits });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field, message }] });
    expect(await updates()).toEqual([]);
  });

  it('should require a token and the permission to update keys', async () => {
    const key = await createKey('Limited', [budget]);
    const body = { ids: [key.id], increaseLimits: [moreCost] };
    expect((await call(service.url, 'POST /api-keys/bulk-update', { body })).status).toBe(401);
    const { organizationId } = member;
    const reader = await createMember(service, { organizationId, permissions: ['get-api-keys', 'create-api-keys'] });
    expect((await update(body, reader.token)).status).toBe(403);
    expect(await limitsOf(key)).toEqual([budget]);
  });
});
