import { allPermissions } from '../../src/access/permissions.js';
import type { RoleDto, RoleListDto } from '../../src/organizations/roles/dto/role.dto.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount } from '../factories/service-accounts.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { type CallResponse, call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

const list = (token = owner.token) => call(service.url, 'GET /roles', { token });
const create = (body: unknown, token = owner.token) => call(service.url, 'POST /roles', { token, body });
const update = (id: string, body: unknown, token = owner.token) =>
  call(service.url, `PATCH /roles/${id}`, { token, body });
const remove = (id: string, token = owner.token) => call(service.url, `DELETE /roles/${id}`, { token });
const roleOf = (response: CallResponse) => response.body as RoleDto;
const statusesOf = (responses: CallResponse[]) => responses.map(({ status }) => status).sort();
const join = (permissions: RoleDto['permissions']) =>
  createMember(service, { organizationId: owner.organizationId, permissions });

const wrongRoles: [field: string, body: object][] = [
  ['name', { name: 'a', permissions: [] }],
  ['name', { name: null, permissions: [] }],
  ['permissions', { name: 'Reader', permissions: ['fly'] }],
  ['permissions', { name: 'Reader', permissions: ['get-usage', 'get-usage'] }],
  ['permissions', { name: 'Reader', permissions: 'get-usage' }],
  ['permissions', { name: 'Reader', permissions: { 0: 'get-usage' } }],
  ['permissions', { name: 'Reader', permissions: [['get-usage']] }],
  ['permissions', { name: 'Reader', permissions: null }],
  ['memberCount', { name: 'Reader', permissions: [], memberCount: 1 }],
];

describe('POST /roles', () => {
  it('should return the role with permissions in catalog order, and record an event', async () => {
    const response = await create({ name: ' Reader ', permissions: ['get-members', 'get-api-keys'] });
    expect(response.status).toBe(201);
    const role = { name: 'Reader', permissions: ['get-api-keys', 'get-members'] };
    expect(response.body).toMatchObject({ ...role, memberCount: 0 });
    expect(response.headers.get('location')).toBe(`/roles/${roleOf(response).id}`);
    expect(await readAuditEvents(service, { organizationId: owner.organizationId })).toMatchObject([
      { action: 'role.create', targetId: roleOf(response).id, targetName: 'Reader', before: null, after: role },
    ]);
  });

  it('should return 403 naming exactly the permissions the creator lacks', async () => {
    const { token } = await join(['create-roles', 'get-usage']);
    const response = await create({ name: 'Reader', permissions: ['get-usage', 'get-roles', 'get-members'] }, token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringMatching(/lacks get-roles, get-members\./) as string });
    expect((await create({ name: 'Reader', permissions: ['get-usage'] }, token)).status).toBe(201);
  });

  it('should return 409 for a name taken in the organization in any case, even concurrently', async () => {
    const role = { name: 'Reader', permissions: [] };
    const other = await createMember(service);
    expect(statusesOf(await Promise.all([create(role), create(role), create(role, other.token)]))).toEqual([
      201, 201, 409,
    ]);
    const message = 'A role named Reader already exists. Choose another name.';
    for (const name of ['Reader', 'READER']) {
      const response = await create({ ...role, name });
      expect(response).toMatchObject({
        status: 409,
        body: { detail: message, errors: [{ field: 'name', message }] },
      });
    }
  });

  it.each(wrongRoles)('should return 400 naming %s for %j', async (field, body) => {
    const response = await create(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    const body = { name: 'Reader', permissions: [] };
    expect((await call(service.url, 'POST /roles', { body })).status).toBe(401);
    expect((await create(body, (await join(['get-roles'])).token)).status).toBe(403);
  });
});

describe('GET /roles', () => {
  it("should list the organization's roles with the numbers of members, service accounts and invitations", async () => {
    await createMember(service);
    await create({ name: 'Reader', permissions: ['get-usage'] });
    const account = await createServiceAccount(service, owner);
    const invitation = { email: 'ada@example.org', roleId: account.roleId };
    await call(service.url, 'POST /members', { token: owner.token, body: invitation });
    const response = await list();
    expect(response.status).toBe(200);
    expect((response.body as RoleListDto).roles).toMatchObject([
      { id: owner.roleId, permissions: allPermissions, memberCount: 1, serviceAccountCount: 0, invitationCount: 0 },
      { name: 'Reader', permissions: ['get-usage'], memberCount: 0, serviceAccountCount: 0, invitationCount: 0 },
      { id: account.roleId, memberCount: 0, serviceAccountCount: 1, invitationCount: 1 },
    ]);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, 'GET /roles')).status).toBe(401);
    expect((await list((await join(['get-members'])).token)).status).toBe(403);
  });
});

describe('PATCH /roles/{id}', () => {
  it('should take effect on the next request and record what changed', async () => {
    const reader = await join(['get-roles']);
    expect((await list(reader.token)).status).toBe(200);
    const response = await update(reader.roleId, { permissions: ['get-usage'] });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id: reader.roleId, permissions: ['get-usage'], memberCount: 1 });
    expect((await list(reader.token)).status).toBe(403);
    expect(await readAuditEvents(service, { organizationId: owner.organizationId })).toMatchObject([
      {
        action: 'role.update',
        targetId: reader.roleId,
        before: { permissions: ['get-roles'] },
        after: { permissions: ['get-usage'] },
      },
    ]);
  });

  it("should allow renaming only by a member with all of the role's permissions", async () => {
    const limited = await join(['update-roles', 'get-roles']);
    const reader = await join(['get-roles']);
    expect((await update(reader.roleId, { name: 'Reader' }, limited.token)).body).toMatchObject({ name: 'Reader' });
    expect((await update(limited.roleId, { name: 'Limited' }, limited.token)).status).toBe(200);
    for (const body of [{ name: 'Chief' }, { name: 'Chief', permissions: ['get-roles'] }]) {
      const response = await update(owner.roleId, body, limited.token);
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({
        code: 'missing-permission',
        detail: expect.stringMatching(/lacks .*update-members.*\. Renaming a role requires every permission/) as string,
      });
    }
    expect((await update(owner.roleId, { name: `Role ${owner.roleId}` }, limited.token)).status).toBe(200);
  });

  it('should return 403 for adding or removing permissions the actor lacks', async () => {
    const limited = await join(['update-roles', 'get-roles']);
    const reader = await join(['get-usage']);
    const change = (permissions: string[]) => update(reader.roleId, { permissions }, limited.token);
    expect((await change(['get-usage', 'get-members'])).status).toBe(403);
    expect((await change([])).body).toMatchObject({ detail: expect.stringContaining('get-usage') as string });
    expect((await change(['get-usage', 'get-roles'])).status).toBe(200);
    expect((await update(limited.roleId, { permissions: allPermissions }, limited.token)).status).toBe(403);
  });

  it('should return 409 for narrowing the last role that can change roles and members', async () => {
    const response = await update(owner.roleId, { permissions: ['update-roles', 'get-members'] });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ code: 'conflict' });
    expect((await list()).body).toMatchObject({ roles: [{ permissions: allPermissions }] });
  });

  it('should keep one of two owner roles that are narrowed concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await createMember(service);
      const second = await createMember(service, { organizationId: first.organizationId });
      const narrow = (one: Member) => update(one.roleId, { permissions: ['update-roles'] }, one.token);
      expect(statusesOf(await Promise.all([narrow(first), narrow(second)]))).toEqual([200, 409]);
    }
  });

  it('should return 409 for a taken name, and record no event without a change', async () => {
    const { roleId } = await join(['get-usage']);
    expect((await update(roleId, { name: `role ${owner.roleId}` })).status).toBe(409);
    expect((await update(roleId, {})).status).toBe(200);
    expect((await update(roleId, { name: `Role ${roleId}`, permissions: ['get-usage'] })).status).toBe(200);
    expect(await readAuditEvents(service, { organizationId: owner.organizationId })).toEqual([]);
  });

  it('should change only the case of a name', async () => {
    const { roleId } = await join([]);
    expect(roleOf(await update(roleId, { name: `ROLE ${roleId}` })).name).toBe(`ROLE ${roleId}`);
  });

  it.each(wrongRoles)('should return 400 naming %s for %j', async (field, body) => {
    const response = await update(owner.roleId, body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });

  it('should return the same 404 for unknown, malformed and foreign ids', async () => {
    const other = await createMember(service);
    const responses = await Promise.all([...unknownIds, other.roleId].map((id) => update(id, { name: 'Mine now' })));
    expect(statusesOf(responses)).toEqual(responses.map(() => 404));
    expect((await list(other.token)).text).not.toContain('Mine now');
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    const route = `PATCH /roles/${owner.roleId}`;
    expect((await call(service.url, route, { body: { name: 'Reader' } })).status).toBe(401);
    expect((await update(owner.roleId, { name: 'Reader' }, (await join(['get-roles'])).token)).status).toBe(403);
  });
});

describe('DELETE /roles/{id}', () => {
  it('should delete the role and record its last state', async () => {
    const { id } = roleOf(await create({ name: 'Reader', permissions: ['get-usage'] }));
    expect((await remove(id)).status).toBe(200);
    expect((await remove(id)).status).toBe(404);
    expect((await readAuditEvents(service, { organizationId: owner.organizationId }))[1]).toMatchObject({
      action: 'role.delete',
      targetId: id,
      before: { name: 'Reader', permissions: ['get-usage'] },
      after: null,
    });
  });

  it('should return 409 naming the members and invitations with the role', async () => {
    const reader = await join(['get-usage']);
    const body = { email: 'guest@example.com', roleId: reader.roleId };
    await call(service.url, 'POST /members', { token: owner.token, body });
    const response = await remove(reader.roleId);
    expect(response.status).toBe(409);
    const who = `1 member (${reader.userId}@example.com) and 1 invitation (guest@example.com)`;
    expect(response.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining(who) as string });
  });

  it('should return the same 404 for unknown, malformed and foreign ids', async () => {
    const other = await createMember(service);
    const { id } = roleOf(await create({ name: 'Reader', permissions: [] }, other.token));
    const responses = await Promise.all([...unknownIds, id].map((unknown) => remove(unknown)));
    expect(statusesOf(responses)).toEqual(responses.map(() => 404));
    expect((await remove(id, other.token)).status).toBe(200);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, `DELETE /roles/${owner.roleId}`)).status).toBe(401);
    expect((await remove(owner.roleId, (await join(['get-roles'])).token)).status).toBe(403);
  });
});

describe('GET /permissions', () => {
  it('should return every permission with description and group to any member', async () => {
    const { token } = await join([]);
    const response = await call(service.url, 'GET /permissions', { token });
    expect(response.status).toBe(200);
    const { permissions } = response.body as { permissions: { name: string }[] };
    expect(permissions.map(({ name }) => name)).toEqual(allPermissions);
    expect(permissions[0]).toEqual({ name: 'create-api-keys', description: 'Create API keys', group: 'API keys' });
  });

  it('should return 401 without a token', async () => {
    expect((await call(service.url, 'GET /permissions')).status).toBe(401);
  });
});
