import type { MemberListDto } from '../../src/organizations/members/dto/member.dto.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { addMembership, createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { type CallResponse, call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

const list = (query = '', token = owner.token) => call(service.url, `GET /members${query}`, { token });
const update = (id: string, roleId: unknown, token = owner.token) =>
  call(service.url, `PATCH /members/${id}`, { token, body: { roleId } });
const remove = (id: string, token = owner.token) => call(service.url, `DELETE /members/${id}`, { token });
const emailsOf = (response: CallResponse) => (response.body as MemberListDto).members.map(({ email }) => email);
const statusesOf = (responses: CallResponse[]) => responses.map(({ status }) => status).sort();
const join = (permissions?: Parameters<typeof createMember>[1]) =>
  createMember(service, { organizationId: owner.organizationId, ...permissions });

describe('GET /members', () => {
  it("should list the organization's members in the order they joined", async () => {
    await createMember(service);
    const second = await join();
    const response = await list();
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ total: 2, page: 1, perPage: 10 });
    expect((response.body as MemberListDto).members).toEqual([
      expect.objectContaining({ id: owner.membershipId, userId: owner.userId }),
      {
        id: second.membershipId,
        userId: second.userId,
        email: `${second.userId}@example.com`,
        name: 'A member',
        role: { id: second.roleId, name: `Role ${second.roleId}` },
        joinedAt: expect.stringMatching(/Z$/) as string,
      },
    ]);
  });

  it('should not repeat or skip members across pages', async () => {
    for (let number = 0; number < 4; number++) await join();
    await service.query("update memberships set created_at = '2026-01-01' where organization_id = $1", [
      owner.organizationId,
    ]);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?perPage=2&page=${page}`)));
    expect(pages.map((page) => emailsOf(page).length)).toEqual([2, 2, 1, 0]);
    expect(new Set(pages.flatMap(emailsOf)).size).toBe(5);
  });

  it.each([
    ['part of the email, ignoring case', 'ANNE', 'anne'],
    ['part of the name, ignoring case', 'üMLAUT', 'anne'],
    ['a combining letter as the composed one', 'u\u0308mlaut', 'anne'],
    ['a percent sign as itself', '%', 'bob'],
  ])('should find by %s', async (_title, search, expected) => {
    const name = `${expected}-${owner.userId}@example.com`;
    const { userId } = await join({ email: name });
    await service.query('update users set name = $1 where id = $2', [expected === 'anne' ? 'Ümlaut' : '100%', userId]);
    expect(emailsOf(await list(`?search=${encodeURIComponent(search)}`))).toEqual([name]);
  });

  it('should return all members for an empty search', async () => {
    expect((await list('?search=')).body).toMatchObject({ total: 1 });
  });

  it.each(['?page=0', '?perPage=101', '?search=a&search=b', '?name=a'])('should return 400 for %s', async (query) => {
    expect((await list(query)).status).toBe(400);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, 'GET /members')).status).toBe(401);
    const { token } = await join({ permissions: ['get-roles'] });
    expect((await list('', token)).status).toBe(403);
  });
});

describe('PATCH /members/{id}', () => {
  it('should take effect on the next request and record an event', async () => {
    const viewer = await join({ permissions: ['get-roles'] });
    const manager = await join({ permissions: ['get-members'] });
    expect((await list('', viewer.token)).status).toBe(403);
    const response = await update(viewer.membershipId, manager.roleId);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id: viewer.membershipId, role: { id: manager.roleId } });
    expect((await list('', viewer.token)).status).toBe(200);
    expect(await readAuditEvents(service, { organizationId: owner.organizationId })).toMatchObject([
      {
        action: 'member.update',
        actorId: owner.userId,
        targetId: viewer.membershipId,
        targetName: `${viewer.userId}@example.com`,
        before: { role: `Role ${viewer.roleId}` },
        after: { role: `Role ${manager.roleId}` },
      },
    ]);
  });

  it('should return 403 naming the permissions the actor lacks, for others and themselves', async () => {
    const limited = await join({ permissions: ['update-members', 'get-members'] });
    const response = await update(limited.membershipId, owner.roleId, limited.token);
    expect(response.status).toBe(403);
    const detail = expect.stringMatching(/create-api-keys.*update-roles/) as string;
    expect(response.body).toMatchObject({ code: 'missing-permission', detail });
    expect(await readAuditEvents(service, { organizationId: owner.organizationId })).toEqual([]);
  });

  it('should return 409 for demoting the last member who can change roles and members', async () => {
    const viewer = await join({ permissions: ['get-roles', 'update-roles'] });
    const response = await update(owner.membershipId, viewer.roleId);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ code: 'conflict' });
    expect(await readAuditEvents(service, { organizationId: owner.organizationId })).toEqual([]);
  });

  it('should return the same 404 for unknown, malformed and foreign members and roles', async () => {
    const other = await createMember(service);
    const responses = await Promise.all([
      ...[...unknownIds, other.membershipId].map((id) => update(id, owner.roleId)),
      ...[...unknownIds, other.roleId].map((roleId) => update(owner.membershipId, roleId)),
    ]);
    expect(statusesOf(responses)).toEqual(responses.map(() => 404));
  });

  it('should return 400 for an invalid role id, 401 without a token and 403 without the permission', async () => {
    expect((await update(owner.membershipId, null)).body).toMatchObject({ errors: [{ field: 'roleId' }] });
    const route = `PATCH /members/${owner.membershipId}`;
    expect((await call(service.url, route, { body: { roleId: owner.roleId } })).status).toBe(401);
    const { token, roleId } = await join({ permissions: ['get-members'] });
    expect((await update(owner.membershipId, roleId, token)).status).toBe(403);
  });
});

describe('DELETE /members/me', () => {
  const leave = (token?: string) => call(service.url, 'DELETE /members/me', { ...(token !== undefined && { token }) });

  it('should remove the user from the current organization only, without any permission, and record it', async () => {
    const viewer = await join({ permissions: [] });
    const { organizationId } = await createMember(service);
    const other = await addMembership(service, { userId: viewer.userId, organizationId });
    expect((await leave(viewer.token)).status).toBe(200);
    expect((await leave(viewer.token)).status).toBe(401);
    expect((await list('', other.token)).body).toMatchObject({ total: 2 });
    expect(await readAuditEvents(service, { organizationId: owner.organizationId })).toMatchObject([
      { action: 'member.delete', targetId: viewer.membershipId, actorId: viewer.userId },
    ]);
  });

  it('should return 409 to the last member who can change roles and members', async () => {
    await join({ permissions: ['update-members'] });
    expect((await leave(owner.token)).status).toBe(409);
    expect((await list()).body).toMatchObject({ total: 2 });
  });

  it('should return 401 without a token, and 403 to a service account', async () => {
    expect((await leave()).status).toBe(401);
    const account = await createServiceAccount(service, owner);
    expect((await leave(await tokenOf(service, account))).status).toBe(403);
  });
});

describe('DELETE /members/{id}', () => {
  it("should reject the member's next request and record an event", async () => {
    const member = await join();
    expect((await remove(member.membershipId)).status).toBe(200);
    expect((await list('', member.token)).status).toBe(401);
    expect(await readAuditEvents(service, { organizationId: owner.organizationId })).toMatchObject([
      { action: 'member.delete', targetId: member.membershipId, before: { role: `Role ${member.roleId}` } },
    ]);
  });

  it('should let members leave, except the last who can change roles and members', async () => {
    const second = await join();
    expect((await remove(second.membershipId, second.token)).status).toBe(200);
    expect((await remove(owner.membershipId)).status).toBe(409);
  });

  it('should keep one of two owners who leave concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await createMember(service);
      const second = await createMember(service, { organizationId: first.organizationId });
      const leave = (one: Member) => remove(one.membershipId, one.token);
      expect(statusesOf(await Promise.all([leave(first), leave(second)]))).toEqual([200, 409]);
    }
  });

  it('should keep one of two owners who remove each other concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await createMember(service);
      const second = await createMember(service, { organizationId: first.organizationId });
      const responses = [remove(second.membershipId, first.token), remove(first.membershipId, second.token)];
      // The second owner lost the membership while waiting.
      expect(statusesOf(await Promise.all(responses))).toEqual([200, 401]);
    }
  });

  it('should return the same 404 for unknown, malformed and foreign ids', async () => {
    const other = await createMember(service);
    const responses = await Promise.all([...unknownIds, other.membershipId].map((id) => remove(id)));
    expect(statusesOf(responses)).toEqual(responses.map(() => 404));
    expect((await list('', other.token)).body).toMatchObject({ total: 1 });
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, `DELETE /members/${owner.membershipId}`)).status).toBe(401);
    const { token } = await join({ permissions: ['get-members'] });
    expect((await remove(owner.membershipId, token)).status).toBe(403);
  });
});
