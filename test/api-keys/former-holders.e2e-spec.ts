import { randomUUID } from 'node:crypto';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { selectFormerHolders, selectFormerHoldersOfKeys } from '../../src/api-keys/known-to-former-members.js';
import { type CreatedKey, createApiKey, createApiKeyWith, rotateApiKey } from '../factories/api-keys.js';
import { addMembership, createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { createServiceAccount, deleteServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { type PlanNode, rowsReadBy } from '../setup/query-plan.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let ada: Member;
let grace: Member;

beforeEach(async () => {
  ada = await createMember(service);
  grace = await createColleague(service, ada, 'Grace Hopper');
});

async function holdersOf({ id }: Pick<CreatedKey, 'id'>, { token }: Pick<Member, 'token'> = ada) {
  const { body } = await call(service.url, `GET /api-keys/${id}`, { token });
  return (body as ApiKeyDetailsDto).knownToFormerMembers;
}

const holder = (secret: string) => ({ secret, kind: 'user', name: 'Grace Hopper' });

describe('knownToFormerMembers of GET /api-keys/{id}', () => {
  it('should name a removed member who created or rotated the key', async () => {
    const created = await createApiKey(service, grace, 'Created');
    const rotated = await createApiKey(service, ada, 'Rotated');
    await rotateApiKey(service, rotated, grace);
    expect(await holdersOf(created)).toEqual([]);
    await removeMember(service, grace, ada);
    for (const key of [created, rotated]) expect(await holdersOf(key)).toEqual([holder('current')]);
    expect(await holdersOf(await createApiKey(service, ada, 'Other'))).toEqual([]);
  });

  it('should say which secret they know, until its grace period ends', async () => {
    const key = await createApiKey(service, grace, 'Created');
    await removeMember(service, grace, ada);
    await rotateApiKey(service, key, ada, 3600);
    expect(await holdersOf(key)).toEqual([holder('previous')]);
    await service.query('update api_keys set previous_secret_expires_at = now() where id = $1', [key.id]);
    expect(await holdersOf(key)).toEqual([]);
  });

  it('should name the person who knows the current secret and the one who knows the previous secret', async () => {
    const edith = await createColleague(service, ada, 'Edith Clarke');
    const key = await createApiKey(service, grace, 'Of both');
    await rotateApiKey(service, key, edith, 3600);
    for (const member of [grace, edith]) await removeMember(service, member, ada);
    expect(await holdersOf(key)).toEqual([{ ...holder('current'), name: 'Edith Clarke' }, holder('previous')]);
  });

  it('should name a deleted service account', async () => {
    const account = await createServiceAccount(service, ada);
    const key = await createApiKeyWith(service, { token: await tokenOf(service, account) }, 'Created');
    await deleteServiceAccount(service, account, ada);
    expect(await holdersOf(key)).toMatchObject([{ secret: 'current', kind: 'service-account' }]);
    expect((await holdersOf(key))[0]?.name).not.toBe('');
  });

  it('should be empty while the key is disabled', async () => {
    const key = await createApiKey(service, grace, 'Disabled');
    await removeMember(service, grace, ada);
    await service.query('update api_keys set enabled = false where id = $1', [key.id]);
    expect(await holdersOf(key)).toEqual([]);
  });

  it('should depend on the organization of the key only, and be hidden from others', async () => {
    const other = await createMember(service);
    const graceElsewhere = await addMembership(service, { ...other, userId: grace.userId });
    const elsewhere = await createApiKey(service, graceElsewhere, 'Elsewhere');
    const here = await createApiKey(service, grace, 'Here');
    await removeMember(service, grace, ada);
    expect(await holdersOf(here)).toEqual([holder('current')]);
    expect(await holdersOf(elsewhere, other)).toEqual([]);
    expect((await call(service.url, `GET /api-keys/${here.id}`, { token: other.token })).status).toBe(404);
  });

  it('should be found without reading the other keys of a former member', async () => {
    const key = await createApiKey(service, grace, 'One of many');
    await insertOtherKeys(grace);
    await removeMember(service, grace, ada);
    const { organizationId } = grace;
    const read = await countRowsRead(
      selectFormerHolders.text,
      selectFormerHolders.bind({ id: key.id, organizationId }),
    );
    expect(read).toBeLessThanOrEqual(20);
  });
});

/** Inserts 2,000 keys of a member, with the events of their creation. */
async function insertOtherKeys({ organizationId, userId }: Member): Promise<void> {
  await service.query(
    `with created as (
       insert into api_keys (id, organization_id, name, folded_name, hint, secret_hash, created_by_id)
       select gen_random_uuid(), $1, 'Key', 'key', 'kc_' || lpad(number::text, 5, '0'), sha256(($3 || number)::bytea), $2
       from generate_series(1, 2000) as number
       returning id, hint
     )
     insert into audit_events (id, organization_id, action, actor_id, address, target_kind, target_id, target_hint)
     select gen_random_uuid(), $1, 'api-key.create', $2, '203.0.113.7', 'api-key', id, hint from created`,
    [organizationId, userId, randomUUID()],
  );
}

async function countRowsRead(text: string, values: unknown[]): Promise<number> {
  await service.query('analyze api_keys, audit_events, former_members, memberships');
  const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  return row === undefined ? NaN : rowsReadBy(row['QUERY PLAN'][0].Plan);
}

describe('GET /api-keys', () => {
  const list = async (query: string) => {
    const { body } = await call(service.url, `GET /api-keys?orderBy=name&order=ASC${query}`, { token: ada.token });
    return (body as ApiKeyListDto).apiKeys;
  };

  it('should say which secrets of each key former members know, only with include=knownToFormerMembers', async () => {
    const edith = await createColleague(service, ada, 'Edith Clarke');
    await rotateApiKey(service, await createApiKey(service, grace, 'Both'), edith, 3600);
    const previous = await createApiKey(service, grace, 'Previous');
    await createApiKey(service, ada, 'Unknown');
    for (const member of [grace, edith]) await removeMember(service, member, ada);
    await rotateApiKey(service, previous, ada, 3600);
    const holders = (await list('&include=knownToFormerMembers')).map((key) => key.knownToFormerMembers);
    expect(holders).toEqual([
      [{ ...holder('current'), name: 'Edith Clarke' }, holder('previous')],
      [holder('previous')],
      [],
    ]);
    const withoutThem = (await list('&include=limits')).map((key) => key.knownToFormerMembers);
    expect(withoutThem).toEqual([undefined, undefined, undefined]);
  });

  it('should find former members without reading other keys of theirs, or other former members', async () => {
    const { organizationId } = grace;
    const keys = await Promise.all(['One', 'Two'].map((name) => createApiKey(service, grace, name)));
    for (const key of keys) await rotateApiKey(service, key, grace);
    await insertOtherKeys(grace);
    await service.query(
      `insert into former_members (organization_id, user_id, email, name)
       select $1, gen_random_uuid(), number || '@example.com', 'A person' from generate_series(1, 2000) as number`,
      [organizationId],
    );
    await removeMember(service, grace, ada);
    const values = selectFormerHoldersOfKeys.bind({ ids: keys.map(({ id }) => id), organizationId });
    expect(await countRowsRead(selectFormerHoldersOfKeys.text, values)).toBeLessThanOrEqual(20);
    const found = (await list('&name=o&include=knownToFormerMembers')).map((key) => key.knownToFormerMembers);
    expect(found).toEqual([[holder('current')], [holder('current')]]);
  });

  it('should say until when the previous secret of a rotated key works, until then', async () => {
    const key = await createApiKey(service, ada, 'Rotated');
    await createApiKey(service, ada, 'Unchanged');
    await rotateApiKey(service, key, ada, 3600);
    const [rotated, unchanged] = await list('');
    const until = Date.parse(rotated?.previousSecretExpiresAt ?? '') - Date.now();
    expect(until).toBeGreaterThan(3_500_000);
    expect(until).toBeLessThanOrEqual(3_600_000);
    expect(unchanged).not.toHaveProperty('previousSecretExpiresAt');
    await service.query('update api_keys set previous_secret_expires_at = now() where id = $1', [key.id]);
    expect((await list(''))[0]).not.toHaveProperty('previousSecretExpiresAt');
  });
});
