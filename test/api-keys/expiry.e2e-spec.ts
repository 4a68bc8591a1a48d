import { DataSource } from 'typeorm';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { observeEnd } from '../setup/observe-end.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const [service, replica] = useReplicas();
let member: Member;

beforeEach(async () => {
  member = await createMember(service);
});

const create = (body: object, token = member.token) =>
  call(service.url, 'POST /api-keys', { token, body: { name: 'A key', ...body } });
const list = async (token = member.token) =>
  ((await call(service.url, 'GET /api-keys', { token })).body as ApiKeyListDto).apiKeys;
const statusOf = async (key: string) => (await call(service.url, 'GET /v1/models', { token: key })).status;
const keyOf = (response: CallResponse) => (response.body as { key: string }).key;

/** Returns the database time plus a PostgreSQL interval. */
async function fromNow(interval: string): Promise<Date> {
  const [row] = await service.query<{ at: Date }>('select clock_timestamp() + $1::interval as at', [interval]);
  return row?.at ?? new Date(NaN);
}

/** Makes a key expire after a PostgreSQL interval and returns its expiry. */
async function expireIn(interval: string, id: string): Promise<Date> {
  await service.query('update api_keys set expires_at = clock_timestamp() + $1::interval where id = $2', [
    interval,
    id,
  ]);
  const [row] = await service.query<{ at: Date }>('select expires_at as at from api_keys where id = $1', [id]);
  return row?.at ?? new Date(NaN);
}

describe('POST /api-keys with expiresAt', () => {
  it('should return 201 and show the expiry in the list and on the key', async () => {
    const response = await create({ expiresAt: '2999-06-30T12:00:00+02:00' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ key: expect.any(String) as string });
    const [listed] = await list();
    expect(listed).toMatchObject({ expiresAt: '2999-06-30T10:00:00.000Z' });
    const shown = await call(service.url, `GET /api-keys/${listed?.id}`, { token: member.token });
    expect(shown.body).toMatchObject({ expiresAt: '2999-06-30T10:00:00.000Z' });
    expect(await statusOf(keyOf(response))).toBe(200);
  });

  it("should omit expiresAt for keys that don't expire", async () => {
    await create({});
    const [listed = {}] = await list();
    expect(Object.keys(listed).sort()).toEqual(['createdAt', 'hint', 'id', 'name', 'updatedAt']);
  });

  it.each([
    ['the past', '-1 hour'],
    ['the current time', '0'],
  ])('should return 400 and create nothing for %s', async (_title, interval) => {
    const response = await create({ expiresAt: (await fromNow(interval)).toISOString() });
    expect(response.status).toBe(400);
    const message = 'expiresAt must be in the future.';
    expect(response.body).toMatchObject({ detail: message, errors: [{ field: 'expiresAt', message }] });
    expect(await list()).toEqual([]);
  });

  it.each([
    ['text', 'tomorrow'],
    ['a day without a time', '2999-01-31'],
    ['an instant without an offset', '2999-01-31T00:00:00'],
    ['a day that does not exist', '2999-02-30T00:00:00Z'],
    ['a number', 32_503_680_000],
    ['a number as text', '32503680000'],
    ['spaces only', ' '],
    ['null', null],
    ['an array', ['2999-01-31T00:00:00Z']],
    ['an object', { $date: '2999-01-31T00:00:00Z' }],
    ['the year 3000', '3000-01-01T00:00:00Z'],
  ])('should return 400 naming the field for %s', async (_title, expiresAt) => {
    const response = await create({ expiresAt });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ field: 'expiresAt', message: expect.stringContaining('2026-01-31T09:30:00Z') as string }],
    });
    expect(await list()).toEqual([]);
  });
});

/** Waits until a connection with this application name waits for a lock. */
async function waitForLockedOut(applicationName: string): Promise<void> {
  const lockedOut = `select from pg_stat_activity
    where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`;
  await waitFor(async () => (await service.query(lockedOut, [applicationName])).length > 0);
}

/** Fakes the date only; timers stay real. */
const allButDate = [
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
  ...(['nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const),
];

describe('A key that expires', () => {
  it('should be accepted until it expires and rejected from that millisecond on, by every replica', async () => {
    const { id, key } = await createApiKey(service, member);
    expect(await statusOf(key)).toBe(200);
    const end = await expireIn('400 milliseconds', id);
    expect(await observeEnd([service, replica], key, end)).toEqual({ acceptedLate: 0, rejectedEarly: 0 });
  });

  it('should be rejected with 401 once expired and stay listed until it is deleted', async () => {
    const { id, key } = await createApiKey(service, member);
    const end = await expireIn('-1 millisecond', id);
    const refused = await call(service.url, 'GET /v1/models', { token: key });
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({ error: { code: 'invalid_api_key' } });
    expect(await list()).toMatchObject([{ id, expiresAt: end.toISOString() }]);
    expect((await call(service.url, `DELETE /api-keys/${id}`, { token: member.token })).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  it('should be rejected if it expires while its lookup is waiting', async () => {
    const { id, key } = await createApiKey(service, member);
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('lock table api_keys in access exclusive mode');
    const response = statusOf(key);
    await waitForLockedOut('keycard api-key verifier');
    // After the lookup arrived and before it reads the key.
    const end = await fromNow('2 milliseconds');
    await blocker.query('update api_keys set expires_at = $1 where id = $2', [end, id]);
    while ((await fromNow('0')) < end);
    await blocker.commitTransaction();
    await blocker.release();
    expect(await response).toBe(401);
  });

  describe.each([
    ['a year ahead', 365],
    ['a year behind', -365],
  ])("with the app's clock %s", (_title, days) => {
    beforeEach(() => {
      jest.useFakeTimers({ now: Date.now() + days * 24 * 3600 * 1000, doNotFake: allButDate });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('should expire by the database clock', async () => {
      const { id, key } = await createApiKey(service, member, 'A key', await fromNow('1 hour'));
      expect(await statusOf(key)).toBe(200);
      await expireIn('-1 millisecond', id);
      expect(await statusOf(key)).toBe(401);
      await expect(createApiKey(service, member, 'A key', await fromNow('-1 hour'))).rejects.toThrow('in the future');
    });
  });
});

describe('Creating a key in an organization with a lifetime limit', () => {
  const limit = (days: number | null) =>
    service.query('update organizations set longest_key_lifetime_days = $1 where id = $2', [
      days,
      member.organizationId,
    ]);

  beforeEach(() => limit(30));

  it('should return 201 for an expiry within the limit', async () => {
    const response = await create({ expiresAt: (await fromNow('719 hours 59 minutes')).toISOString() });
    expect(response.status).toBe(201);
  });

  it.each([
    ['beyond it', '720 hours 1 minute', 'expiresAt must be at most'],
    ['that is missing', undefined, 'expiresAt is required and must be at most'],
  ])('should return 400 naming the limit for an expiry %s', async (_title, interval, beginning) => {
    const body = interval === undefined ? {} : { expiresAt: (await fromNow(interval)).toISOString() };
    const response = await create(body);
    expect(response.status).toBe(400);
    const { errors } = response.body as { errors: { field: string; message: string }[] };
    expect(errors).toEqual([{ field: 'expiresAt', message: expect.stringContaining(beginning) as string }]);
    expect(errors[0]?.message).toContain('within 30 days');
    expect(await list()).toEqual([]);
  });

  it('should return 400 suggesting an instant that is accepted', async () => {
    const { detail } = (await create({})).body as { detail: string };
    const [latest] = /\d{4}-\S+Z/.exec(detail) ?? [];
    expect((await create({ expiresAt: latest })).status).toBe(201);
  });

  it('should respect a limit that is set concurrently', async () => {
    await limit(null);
    const setter = service.app.get(DataSource).createQueryRunner();
    await setter.startTransaction();
    await setter.query('update organizations set longest_key_lifetime_days = 7 where id = $1', [member.organizationId]);
    const response = create({});
    await waitForLockedOut('keycard');
    await setter.commitTransaction();
    await setter.release();
    expect((await response).status).toBe(400);
    expect((await response).body).toMatchObject({ detail: expect.stringContaining('within 7 days') as string });
  });

  it('should not affect other organizations or existing keys', async () => {
    const { token } = await createMember(service);
    expect((await create({}, token)).status).toBe(201);
    await limit(null);
    const lasting = keyOf(await create({}));
    await limit(1);
    expect(await statusOf(lasting)).toBe(200);
  });
});
