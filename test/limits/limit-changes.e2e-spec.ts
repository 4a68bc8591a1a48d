import { DataSource } from 'typeorm';
import type { Limit } from '../../src/limits/limit.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const service = useTestApp();
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const manage = (route: string, body?: unknown) => call(service.url, route, { token: member.token, body });
const limitKey = (...limits: Limit[]) => manage(`PATCH /api-keys/${apiKey.id}`, { limits });
const limitOrganization = (...limits: Limit[]) => manage('PATCH /organizations/current', { limits });
const perMinute: Limit = { metric: 'requests', per: 'minute', max: 5 };
const perDay: Limit = { metric: 'tokens', per: 'day', max: 5 };

/** Holds the statement's locks until the returned function is called. */
async function block(statement: string, parameters: unknown[] = []): Promise<() => Promise<void>> {
  const blocker = service.app.get(DataSource).createQueryRunner();
  await blocker.startTransaction();
  await blocker.query(statement, parameters);
  return async () => {
    await blocker.rollbackTransaction();
    await blocker.release();
  };
}

const lockWaits = (count: number) => waitFor(async () => (await countLockWaits(service)) === count);
const readMarks = async () => {
  const keys = await service.query<{ marked: boolean }>(
    'select organization_limited as marked from api_keys where organization_id = $1',
    [member.organizationId],
  );
  return keys.map(({ marked }) => marked);
};

describe('Counters that a request has locked', () => {
  const lockCounters = () => block('select from limit_counters where owner_id = $1 for update', [apiKey.id]);

  it('should not delay a change of the maximum, another limit, or the removal of the limit', async () => {
    await limitKey(perMinute, perDay);
    const unblock = await lockCounters();
    for (const limits of [
      [{ ...perMinute, max: 6 }, perDay],
      [perMinute, perDay, { ...perDay, metric: 'pages' as const }],
      [perMinute],
      [],
    ]) {
      expect((await limitKey(...limits)).status).toBe(200);
    }
    await unblock();
  });

  it('should not delay the revocation of the key', async () => {
    await limitKey(perMinute);
    const unblock = await lockCounters();
    const deleted = manage(`DELETE /api-keys/${apiKey.id}`);
    await lockWaits(1);
    expect((await call(service.url, 'GET /v1/models', { token: apiKey.key })).status).toBe(401);
    await unblock();
    expect((await deleted).status).toBe(200);
  });
});

describe('A deleted key', () => {
  const owners = async (...ids: string[]) => {
    const sql = 'select distinct owner_id from limit_counters where owner_id = any($1)';
    return (await service.query<{ owner_id: string }>(sql, [ids])).map(({ owner_id }) => owner_id);
  };

  it('should leave no counters, not even if an earlier deletion was interrupted', async () => {
    await limitKey(perMinute, perDay);
    await limitOrganization(perMinute);
    const keys = await Promise.all([1, 2].map(() => createApiKey(service, member)));
    const [interrupted = apiKey, kept = apiKey] = keys;
    for (const { id } of keys) await manage(`PATCH /api-keys/${id}`, { limits: [perMinute, perDay] });
    await service.query(
      `with deleted as (delete from api_keys where id = $1 returning *)
       insert into deleted_api_keys (id, organization_id, name, hint) select id, organization_id, name, hint from deleted`,
      [interrupted.id],
    );
    const { organizationId } = member;
    const all = [apiKey.id, interrupted.id, kept.id, organizationId];
    expect(await owners(...all)).toHaveLength(4);
    expect((await manage(`DELETE /api-keys/${apiKey.id}`)).status).toBe(200);
    expect((await owners(...all)).sort()).toEqual([kept.id, organizationId].sort());
  });
});

describe("An organization's limits", () => {
  it('should mark all of its keys, and not change when they were updated', async () => {
    const updates = () => service.query('select updated_at from api_keys where id = $1', [apiKey.id]);
    const before = await updates();
    await createApiKey(service, member);
    await limitOrganization(perMinute);
    expect(await readMarks()).toEqual([true, true]);
    await createApiKey(service, member);
    expect(await readMarks()).toEqual([true, true, true]);
    await limitOrganization();
    expect(await readMarks()).toEqual([false, false, false]);
    expect(await updates()).toEqual(before);
  });

  it('should mark every key of an organization with thousands of keys', async () => {
    await service.query(
      `insert into api_keys (id, organization_id, name, folded_name, hint, secret_hash, created_at)
       select gen_random_uuid(), $1::uuid, 'Key', 'key', 'kc_abcde', sha256(($1::uuid || ' ' || number)::bytea),
         '2026-01-01'::timestamptz + number / 7 * interval '1 millisecond'
       from generate_series(1, 20001) as number`,
      [member.organizationId],
    );
    expect((await limitOrganization(perMinute)).status).toBe(200);
    const marked = await readMarks();
    expect([marked.length, marked.every(Boolean)]).toEqual([20_002, true]);
  });

  it('should mark a key that is created while they are set', async () => {
    const unblock = await block('select from api_keys where id = $1 for update', [apiKey.id]);
    const limited = limitOrganization(perMinute);
    await lockWaits(1);
    const created = manage('POST /api-keys', { name: 'New' });
    await lockWaits(2);
    await unblock();
    expect([(await limited).status, (await created).status]).toEqual([200, 201]);
    expect(await readMarks()).toEqual([true, true]);
  });

  it('should mark a key whose creation started before they were set', async () => {
    const unblock = await block('lock table audit_events in access exclusive mode');
    const created = manage('POST /api-keys', { name: 'New' });
    await lockWaits(1);
    const limited = limitOrganization(perMinute);
    await lockWaits(2);
    await unblock();
    expect([(await created).status, (await limited).status]).toEqual([201, 200]);
    expect(await readMarks()).toEqual([true, true]);
  });

  it('should mark keys correctly after many concurrent changes and creations', async () => {
    const changes = Array.from({ length: 5 }, (_, index) => limitOrganization(...(index % 2 === 0 ? [perMinute] : [])));
    const creations = Array.from({ length: 15 }, () => createApiKey(service, member));
    const responses = await Promise.all(changes);
    await Promise.all(creations);
    expect(responses.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const [organization] = await service.query<{ isLimited: boolean }>(
      'select limits is not null as "isLimited" from organizations where id = $1',
      [member.organizationId],
    );
    expect(await readMarks()).toEqual(Array.from({ length: 16 }, () => organization?.isLimited));
  });

  it('should be set while the expiry of a key changes, without a deadlock', async () => {
    const second = await createApiKey(service, member);
    const unblock = await block('select from api_keys where id = $1 for update', [apiKey.id]);
    const limited = limitOrganization(perMinute);
    await lockWaits(1);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const changed = manage(`PATCH /api-keys/${second.id}`, { expiresAt, limits: [perDay] });
    await lockWaits(2);
    await unblock();
    expect([(await limited).status, (await changed).status]).toEqual([200, 200]);
  });
});
