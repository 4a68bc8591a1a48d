import { randomUUID } from 'node:crypto';
import type { OverviewDto } from '../../src/overview/dto/overview.dto.js';
import { selectKeysKnownToFormerMembers } from '../../src/overview/read-attention.js';
import { insertManySignIns } from '../factories/audit-log.js';
import { createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { type PlanNode, rowsReadBy } from '../setup/query-plan.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
const manyKeys = 5000;
/** A statement may take a few seconds. */
const keysPerStatement = 500;
const maxCount = 1000;
let owner: Member;
let grace: Member;

beforeEach(async () => {
  owner = await createMember(service);
  grace = await createColleague(service, owner, 'Grace Hopper');
});

/** Inserts keys with the events of their creation, and of a rotation by another member, if one is given. */
async function insertManyKeys(creatorId: string, count: number, rotatedById?: string): Promise<void> {
  for (let left = count; left > 0; left -= keysPerStatement) {
    await insertKeys(creatorId, Math.min(left, keysPerStatement), rotatedById);
  }
}

async function insertKeys(creatorId: string, count: number, rotatedById: string | undefined): Promise<void> {
  const { organizationId } = owner;
  const prefix = randomUUID();
  await service.query(
    `with created as (
       insert into api_keys (id, organization_id, name, folded_name, hint, secret_hash, created_by_id, rotated_at)
       select gen_random_uuid(), $1, 'Key', 'key', 'kc_' || lpad(number::text, 5, '0'), sha256(($4 || number)::bytea), $2,
         case when $5::uuid is not null then now() end
       from generate_series(1, $3::integer) as number
       returning id, hint
     )
     insert into audit_events (id, organization_id, action, actor_id, address, target_kind, target_id, target_hint)
     select gen_random_uuid(), $1, action, actor_id, '203.0.113.7', 'api-key', created.id, event.hint
     from created cross join lateral (
       values ('api-key.create', $2::uuid, case when $5::uuid is null then created.hint else 'kc_first' end),
         ('api-key.rotate', $5::uuid, created.hint)
     ) as event (action, actor_id, hint)
     where actor_id is not null`,
    [organizationId, creatorId, count, prefix, rotatedById],
  );
}

async function countRowsRead(): Promise<number> {
  await service.query('analyze api_keys, audit_events, former_members, memberships');
  const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${selectKeysKnownToFormerMembers.text}`,
    selectKeysKnownToFormerMembers.bind({ organizationId: owner.organizationId }),
  );
  return row === undefined ? NaN : rowsReadBy(row['QUERY PLAN'][0].Plan);
}

describe('Finding keys that former members know', () => {
  it('should read neither the keys and rotations of members nor other events of former members', async () => {
    await insertManyKeys(owner.userId, manyKeys, owner.userId);
    await insertManyKeys(grace.userId, 10);
    await insertManySignIns(service, grace, manyKeys);
    await removeMember(service, grace, owner);
    expect(await countRowsRead()).toBeLessThanOrEqual(100);
  });

  it('should count no more than 1,000 keys, and name the first', async () => {
    await insertManyKeys(grace.userId, 2 * maxCount);
    await removeMember(service, grace, owner);
    const { body } = await call(service.url, 'GET /overview', { token: owner.token });
    const known = (body as OverviewDto).attention.find(({ kind }) => kind === 'keys-known-to-former-members');
    expect(known).toMatchObject({ count: maxCount });
    expect(known?.first).toHaveLength(5);
  });
});
