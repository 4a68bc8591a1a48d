import { allPermissions } from '../../src/access/permissions.js';
import { operatorEmail } from '../../src/audit/audit-actions.js';
import type { AuditActorListDto } from '../../src/audit/dto/audit-actor.dto.js';
import { auditActorsParameters, selectAuditActors } from '../../src/audit/read-audit-actors.js';
import { createApiKeyWith } from '../factories/api-keys.js';
import { insertAuditEvents, insertManySignIns, recordKeyCreation } from '../factories/audit-log.js';
import { createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { createServiceAccount, deleteServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { rowsReadBy, type PlanNode } from '../setup/query-plan.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

/** Adds a member who has created a key. */
async function join(name: string, options: Parameters<typeof createColleague>[3] = {}): Promise<Member> {
  const member = await createColleague(service, owner, name, options);
  await recordKeyCreation(service, member, `Key of ${name}`);
  return member;
}

const emailOf = ({ userId }: Member) => `${userId}@example.com`;
const get = (search: string, token = owner.token) =>
  call(service.url, `GET /audit-events/actors?search=${encodeURIComponent(search)}`, { token });
const find = async (search: string, token?: string) => ((await get(search, token)).body as AuditActorListDto).actors;

describe('GET /audit-events/actors', () => {
  it.each(['present', 'removed'])('should find a %s member by part of the name or email', async (state) => {
    const grace = await join('Grace Hopper');
    if (state === 'removed') await removeMember(service, grace, owner);
    const actor = { kind: 'user', id: grace.userId, email: emailOf(grace), name: 'Grace Hopper' };
    expect(await find('grace hop')).toEqual([actor]);
    expect(await find('ＧＲＡＣＥ')).toEqual([actor]);
    expect(await find(emailOf(grace).slice(0, 30).toUpperCase())).toEqual([actor]);
  });

  it('should find a removed member by their name when they were removed, also once their account is deleted', async () => {
    const grace = await join('Grace Hopper');
    await removeMember(service, grace, owner);
    await service.query("update users set name = 'Another name' where id = $1", [grace.userId]);
    const actor = { kind: 'user', id: grace.userId, email: emailOf(grace), name: 'Grace Hopper' };
    expect(await find('grace hop')).toEqual([actor]);
    expect(await find('another name')).toEqual([]);
    await service.query('delete from users where id = $1', [grace.userId]);
    expect(await find('grace hop')).toEqual([actor]);
  });

  it('should not name a person by their membership in another organization', async () => {
    const other = await createMember(service);
    const grace = await join('Grace Hopper');
    await removeMember(service, grace, owner);
    await service.query('delete from users where id = $1', [grace.userId]);
    await recordKeyCreation(service, { ...grace, organizationId: other.organizationId }, 'A key');
    expect(await find('grace hop', other.token)).toEqual([]);
  });

  it.each(['present', 'deleted'])('should find a %s service account by name and by id', async (state) => {
    const account = await createServiceAccount(service, owner);
    const { id, name } = account;
    await createApiKeyWith(service, { token: await tokenOf(service, account) }, 'Key of the pipeline');
    if (state === 'deleted') await deleteServiceAccount(service, account, owner);
    const actor = { kind: 'service-account', id, email: null, name };
    expect(await find(name.slice(1, 5))).toEqual([actor]);
    expect(await find(id)).toEqual([actor]);
  });

  it('should find a person whose account was deleted, and the operator, by email', async () => {
    const grace = await join('Grace Hopper');
    await service.query('delete from memberships where user_id = $1', [grace.userId]);
    await service.query('delete from users where id = $1', [grace.userId]);
    await insertAuditEvents(service, { ...owner, userId: grace.userId }, [
      { actorId: null, actorEmail: operatorEmail, action: 'member.add-owner' },
    ]);
    expect(await find('grace')).toEqual([]);
    expect(await find(grace.userId)).toEqual([{ kind: 'user', id: grace.userId, email: emailOf(grace), name: null }]);
    expect(await find('operator')).toEqual([{ kind: 'user', id: null, email: operatorEmail, name: null }]);
  });

  it('should neither return nor search names of people without the permission to list members', async () => {
    const grace = await join('Grace Hopper');
    const permissions = allPermissions.filter((permission) => permission !== 'get-members');
    const { token } = await join('Auditor', { permissions });
    expect(await find('grace', token)).toEqual([]);
    expect(await find(grace.userId, token)).toMatchObject([{ email: emailOf(grace), name: null }]);
  });

  it('should only find actors of the current organization', async () => {
    const other = await createMember(service);
    await recordKeyCreation(service, other, 'Key of another organization');
    expect(await find(other.userId)).toEqual([]);
  });

  it('should return the first 20, sorted by name, or else by email', async () => {
    const names = Array.from({ length: 21 }, (_, index) => `Member ${String.fromCharCode(97 + ((index * 5) % 21))}`);
    for (const name of names) await join(name);
    expect((await find('member')).map(({ name }) => name)).toEqual(names.sort().slice(0, 20));
  });

  it('should reject a search that is too long', async () => {
    const { status, body } = await get('x'.repeat(255));
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'search' }] });
  });

  it('should not read all events of a long log', async () => {
    await insertManySignIns(service, owner, 20_000);
    await service.query('analyze audit_events');
    const parameters = auditActorsParameters({
      organizationId: owner.organizationId,
      search: 'ada',
      namesPeople: true,
    });
    const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${selectAuditActors}`,
      parameters,
    );
    expect(row && rowsReadBy(row['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(100);
  });
});
