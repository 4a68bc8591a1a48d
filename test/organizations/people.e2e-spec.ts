import type {
  FormerMemberListDto,
  PersonDto,
  PersonSessionListDto,
} from '../../src/organizations/people/dto/person.dto.js';
import {
  addMembership,
  createColleague,
  createMember,
  type Member,
  openSession,
  removeMember,
} from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { call } from '../setup/call.js';
import { runAdmin } from '../setup/run-admin.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

const emailOf = ({ userId }: Member) => `${userId}@example.com`;
const get = (path: string, token: string | undefined = owner.token) =>
  call(service.url, `GET /people/${path}`, { ...(token !== '' && { token }) });
const join = (name = 'Grace Hopper', options?: Parameters<typeof createColleague>[3]) =>
  createColleague(service, owner, name, options);
const remove = (member: Member, by = owner) => removeMember(service, member, by);

const formerOf = (body: unknown) => (body as FormerMemberListDto).formerMembers;

describe('GET /people/{id}', () => {
  it('should return a member with their role', async () => {
    const grace = await join();
    const { status, body } = await get(grace.userId);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: grace.userId,
      name: 'Grace Hopper',
      email: emailOf(grace),
      member: expect.objectContaining({
        id: grace.membershipId,
        role: { id: grace.roleId, name: `Role ${grace.roleId}` },
      }) as object,
    });
  });

  it('should return a removed member as they were when they were removed', async () => {
    const grace = await join();
    await remove(grace);
    await service.query("update users set name = 'Someone else' where id = $1", [grace.userId]);
    const { body } = await get(grace.userId);
    const time = expect.stringMatching(/Z$/) as string;
    const fields = { name: 'Grace Hopper', email: emailOf(grace) };
    const times = { joinedAt: time, removedAt: time };
    const removedBy = { kind: 'user', id: owner.userId, name: 'A member' };
    const end = { ...times, departure: 'removed', removedBy };
    const former = { userId: grace.userId, ...fields, role: `Role ${grace.roleId}`, ...end };
    expect(body).toEqual({ id: grace.userId, ...fields, formerMember: former });
  });

  it('should return someone who left', async () => {
    const grace = await join();
    await call(service.url, 'DELETE /members/me', { token: grace.token });
    const formerMember = { name: 'Grace Hopper', departure: 'left', removedBy: null };
    expect((await get(grace.userId)).body).toMatchObject({ formerMember });
  });

  it('should say how the last membership of someone who rejoined ended', async () => {
    const grace = await join();
    await remove(grace);
    const again = await addMembership(service, grace);
    await call(service.url, 'DELETE /members/me', { token: again.token });
    expect((await get(grace.userId)).body).toMatchObject({ formerMember: { departure: 'left' } });
    expect(formerOf((await get('former')).body)).toMatchObject([{ departure: 'left' }]);
  });

  it('should not say how a membership ended whose event the audit log no longer has', async () => {
    const grace = await join();
    await remove(grace);
    // The log is append-only, so the removal moves instead.
    await service.query("update former_members set removed_at = '2026-01-01' where user_id = $1", [grace.userId]);
    expect((await get(grace.userId)).body).toMatchObject({ formerMember: { departure: null, removedBy: null } });
  });

  it('should name who removed a member, also if they are no longer a member or a service account', async () => {
    const [grace, ada, edith] = [await join('Grace'), await join('Ada'), await join('Edith')];
    await remove(grace, ada);
    await remove(ada);
    expect((await get(grace.userId)).body).toMatchObject({
      formerMember: { removedBy: { kind: 'user', id: ada.userId, name: 'Ada' } },
    });
    const account = await createServiceAccount(service, owner);
    const token = await tokenOf(service, account);
    await call(service.url, `DELETE /members/${edith.membershipId}`, { token });
    const removedBy = { kind: 'service-account', id: account.id, name: account.name };
    expect((await get(edith.userId)).body).toMatchObject({ formerMember: { removedBy } });
    expect(formerOf((await get('former')).body)[0]).toMatchObject({ name: 'Edith', removedBy });
  });

  it('should not say who removed a member without the permission get-audit-events', async () => {
    const grace = await join();
    await remove(grace);
    const { token } = await join('Ada', { permissions: ['get-members'] });
    const { formerMember } = (await get(grace.userId, token)).body as PersonDto;
    expect(formerMember?.departure).toBe('removed');
    expect(formerMember).not.toHaveProperty('removedBy');
    expect(formerOf((await get('former', token)).body)[0]).not.toHaveProperty('removedBy');
  });

  it('should return a former member who has rejoined as a member', async () => {
    const grace = await join();
    await remove(grace);
    await addMembership(service, grace);
    const { member, formerMember } = (await get(grace.userId)).body as PersonDto;
    expect(member).toBeDefined();
    expect(formerMember).toBeUndefined();
  });

  it('should return someone whose account was deleted', async () => {
    const grace = await join();
    await runAdmin(service.database, 'delete-account', emailOf(grace));
    expect((await get(grace.userId)).body).toMatchObject({
      name: 'Grace Hopper',
      formerMember: { departure: 'removed', removedBy: { kind: 'operator', id: null, name: null } },
    });
  });

  it('should return the same 404 for unknown and malformed ids, and for people of other organizations', async () => {
    const other = await createMember(service);
    const theirs = await createMember(service, { organizationId: other.organizationId });
    await remove(theirs, other);
    for (const id of [...unknownIds, other.userId, theirs.userId]) expect((await get(id)).status).toBe(404);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await get(owner.userId, '')).status).toBe(401);
    const { token } = await join('Ada', { permissions: ['get-roles'] });
    expect((await get(owner.userId, token)).status).toBe(403);
  });
});

describe('GET /people/former', () => {
  it('should list former members only, removed last first', async () => {
    const [first, second, third] = [await join('Ada'), await join('Grace'), await join('Edith')];
    for (const member of [second, first, third]) await remove(member);
    await addMembership(service, third);
    const { status, body } = await get('former');
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 2, page: 1, perPage: 10 });
    expect(formerOf(body).map(({ name }) => name)).toEqual(['Ada', 'Grace']);
  });

  it('should not repeat or skip people across pages', async () => {
    for (let number = 0; number < 3; number++) await remove(await join());
    await service.query("update former_members set removed_at = '2026-01-01' where organization_id = $1", [
      owner.organizationId,
    ]);
    const pages = await Promise.all([1, 2, 3].map((page) => get(`former?perPage=2&page=${page}`)));
    const ids = pages.map(({ body }) => formerOf(body).map(({ userId }) => userId));
    expect(ids.map(({ length }) => length)).toEqual([2, 1, 0]);
    expect(new Set(ids.flat()).size).toBe(3);
  });

  it.each([
    ['part of the name, ignoring case', 'üMLAUT'],
    ['part of the email, ignoring case', '@EXAMPLE'],
  ])('should find by %s', async (_title, search) => {
    await remove(await join('Ümlaut'));
    const { body } = await get(`former?search=${encodeURIComponent(search)}`);
    expect(formerOf(body).map(({ name }) => name)).toEqual(['Ümlaut']);
    expect((await get('former?search=%25')).body).toMatchObject({ total: 0 });
  });

  it("should not list other organizations' former members", async () => {
    const other = await createMember(service);
    await remove(await createMember(service, { organizationId: other.organizationId }), other);
    expect((await get('former')).body).toMatchObject({ total: 0 });
  });

  it('should return 400 for invalid parameters, 401 without a token and 403 without the permission', async () => {
    for (const query of ['?page=0', '?perPage=101', '?name=a']) expect((await get(`former${query}`)).status).toBe(400);
    expect((await get('former', '')).status).toBe(401);
    const { token } = await join('Ada', { permissions: ['get-roles'] });
    expect((await get('former', token)).status).toBe(403);
  });
});

describe('GET /people/{id}/sessions', () => {
  const idsOf = (body: unknown) => (body as PersonSessionListDto).sessions.map(({ id }) => id);

  it("should list the member's sessions in this organization, without those in others", async () => {
    const grace = await join();
    const second = await openSession(service, grace);
    const { organizationId } = await createMember(service);
    await addMembership(service, { userId: grace.userId, organizationId });
    const { status, body } = await get(`${grace.userId}/sessions`);
    expect(status).toBe(200);
    expect(idsOf(body).sort()).toEqual([grace.sessionId, second.sessionId].sort());
    expect((body as PersonSessionListDto).sessions[0]).toMatchObject({ address: '127.0.0.1', userAgent: null });
  });

  it('should leave out sessions that have ended', async () => {
    const grace = await join();
    await service.query("update sessions set expires_at = now() - interval '1 hour' where id = $1", [grace.sessionId]);
    expect(idsOf((await get(`${grace.userId}/sessions`)).body)).toEqual([]);
  });

  it('should return the same 404 for unknown ids, people of other organizations and former members', async () => {
    const other = await createMember(service);
    const grace = await join();
    await remove(grace);
    for (const id of [...unknownIds, other.userId, grace.userId]) {
      expect((await get(`${id}/sessions`)).status).toBe(404);
    }
  });

  it('should return 401 without a token and 403 without permission to read the audit log', async () => {
    expect((await get(`${owner.userId}/sessions`, '')).status).toBe(401);
    const { token } = await join('Ada', { permissions: ['get-members'] });
    expect((await get(`${owner.userId}/sessions`, token)).status).toBe(403);
  });
});
