import { allPermissions } from '../../src/access/permissions.js';
import { hashPassword } from '../../src/auth/password.js';
import type {
  CreatedInvitationDto,
  InvitationListDto,
} from '../../src/organizations/invitations/dto/invitation.dto.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, tokenOf as tokenOfAccount } from '../factories/service-accounts.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { type CallResponse, call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const password = 'correct horse battery staple';
const service = useTestApp();
let owner: Member;
let email: string;

beforeEach(async () => {
  owner = await createMember(service);
  email = `guest-of-${owner.userId}@example.com`;
});

const invite = (body: object = {}, token = owner.token) =>
  call(service.url, 'POST /members', { token, body: { email, roleId: owner.roleId, ...body } });
const list = (query = '', token = owner.token) => call(service.url, `GET /invitations${query}`, { token });
const withdraw = (id: string, token = owner.token) => call(service.url, `DELETE /invitations/${id}`, { token });
const accept = (body: object) =>
  call(service.url, 'POST /auth/accept-invitation', { body: { name: 'A guest', password, ...body } });
const invitationOf = (response: CallResponse) => response.body as CreatedInvitationDto;
const tokenOf = (response: CallResponse) => invitationOf(response).link.split('#token=')[1];
const totalOf = (response: CallResponse) => (response.body as InvitationListDto).total;
const statusesOf = (responses: CallResponse[]) => responses.map(({ status }) => status).sort();
const join = (permissions: Parameters<typeof createMember>[1]) =>
  createMember(service, { organizationId: owner.organizationId, ...permissions });
const personOf = ({ userId: id }: Member) => ({ id, name: 'A member', email: `${id}@example.com` });
const me = async (response: CallResponse) =>
  call(service.url, 'GET /auth/me', { token: (response.body as { accessToken: string }).accessToken });

describe('POST /members', () => {
  it('should return 201 with the invitation, its link and no-store, and record an event', async () => {
    const response = await invite({ email: ` ${email.toUpperCase()} ` });
    expect(response.status).toBe(201);
    const { id, link, createdAt, expiresAt, ...rest } = invitationOf(response);
    const role = { id: owner.roleId, name: `Role ${owner.roleId}` };
    expect(rest).toEqual({ email, role, invitedBy: personOf(owner) });
    expect(link).toMatch(new RegExp(`^${service.url}/accept-invitation#token=[\\w-]{43}$`));
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 24 * 60 * 60 * 1000);
    expect(response.headers.get('location')).toBe(`/invitations/${id}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await readAuditEvents(service, { organizationId: owner.organizationId })).toMatchObject([
      { action: 'invitation.create', targetId: id, targetName: email, after: { role: role.name } },
    ]);
  });

  it('should replace and invalidate an earlier invitation of the same email', async () => {
    const first = await invite();
    const second = await invite({ email: email.toUpperCase() });
    expect((await list()).body).toMatchObject({ total: 1, invitations: [{ id: invitationOf(second).id }] });
    expect((await accept({ token: tokenOf(first) })).status).toBe(404);
    expect((await accept({ token: tokenOf(second) })).status).toBe(200);
  });

  it('should keep one of two concurrent invitations of the same email', async () => {
    expect(statusesOf(await Promise.all([invite(), invite()]))).toEqual([201, 201]);
    expect(totalOf(await list())).toBe(1);
  });

  it('should return 409 for a member, case-insensitively, but not for a member of another organization', async () => {
    const other = await createMember(service);
    expect((await invite({ email: `${owner.userId}@EXAMPLE.com` })).body).toMatchObject({ code: 'conflict' });
    expect((await invite({ email: `${other.userId}@example.com` })).status).toBe(201);
  });

  it("should return 403 naming the role's permissions the inviter lacks", async () => {
    const { token, roleId } = await join({ permissions: ['create-members', 'get-usage'] });
    const response = await invite({}, token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('update-roles') as string });
    expect((await invite({ roleId }, token)).status).toBe(201);
  });

  it('should return the same 404 for unknown, malformed and foreign roles', async () => {
    const other = await createMember(service);
    const responses = await Promise.all([...unknownIds, other.roleId].map((roleId) => invite({ roleId })));
    expect(statusesOf(responses)).toEqual(responses.map(() => 404));
    expect(totalOf(await list())).toBe(0);
  });

  it.each([
    ['email', { email: 'ada' }],
    ['email', { email: 'a da@example.com' }],
    ['email', { email: 'ada\u0000@example.com' }],
    ['email', { email: 'ada\ud83d@example.com' }],
    ['email', { email: '\u212aate@example.com' }],
    ['email', { email: 'ada@exam\u202eple.com' }],
    ['email', { email: `${'x'.repeat(250)}@example.com` }],
    ['email', { email: null }],
    ['roleId', { roleId: 1 }],
    ['name', { name: 'Ada' }],
  ])('should return 400 naming %s for %j', async (field, body) => {
    const response = await invite(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, 'POST /members', { body: { email, roleId: owner.roleId } })).status).toBe(401);
    const { token, roleId } = await join({ permissions: ['get-members'] });
    expect((await invite({ roleId }, token)).status).toBe(403);
  });
});

describe('GET /invitations', () => {
  it("should list the organization's invitations, newest first and without tokens", async () => {
    const other = await createMember(service);
    await invite({ roleId: other.roleId }, other.token);
    const first = await invite();
    const second = await invite({ email: `second-${email}` });
    const response = await list();
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ total: 2, page: 1, perPage: 10 });
    const { link, ...newest } = invitationOf(second);
    expect((response.body as InvitationListDto).invitations[0]).toStrictEqual(newest);
    expect((response.body as InvitationListDto).invitations[1]?.id).toBe(invitationOf(first).id);
    expect(response.text).not.toContain(link.split('=')[1]);
  });

  it('should name the inviter, also once they were removed, until their account is deleted', async () => {
    const helper = await join({ permissions: allPermissions });
    await invite({}, helper.token);
    await call(service.url, `DELETE /members/${helper.membershipId}`, { token: owner.token });
    expect((await list()).body).toMatchObject({ invitations: [{ email, invitedBy: personOf(helper) }] });
    await service.query('delete from users where id = $1', [helper.userId]);
    expect((await list()).body).toMatchObject({ invitations: [{ email, invitedBy: null }] });
  });

  it('should name no inviter if a service account sent the invitation', async () => {
    await invite({}, await tokenOfAccount(service, await createServiceAccount(service, owner)));
    expect((await list()).body).toMatchObject({ invitations: [{ email, invitedBy: null }] });
  });

  it('should return pages, and 400 for an invalid page', async () => {
    for (let number = 0; number < 3; number++) await invite({ email: `${number}-${email}` });
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?perPage=2&page=${page}`)));
    expect(pages.map(({ body }) => (body as InvitationListDto).invitations.length)).toEqual([2, 1, 0]);
    expect((await list('?page=0')).status).toBe(400);
    expect((await list('?search=a')).status).toBe(400);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    expect((await call(service.url, 'GET /invitations')).status).toBe(401);
    expect((await list('', (await join({ permissions: ['create-members'] })).token)).status).toBe(403);
  });
});

describe('DELETE /invitations/{id}', () => {
  it('should invalidate the link and record an event', async () => {
    const response = await invite();
    const { id } = invitationOf(response);
    expect((await withdraw(id)).status).toBe(200);
    expect((await withdraw(id)).status).toBe(404);
    expect((await accept({ token: tokenOf(response) })).status).toBe(404);
    expect((await readAuditEvents(service, { organizationId: owner.organizationId }))[1]).toMatchObject({
      action: 'invitation.delete',
      targetId: id,
      targetName: email,
    });
  });

  it('should return the same 404 for unknown, malformed and foreign ids', async () => {
    const other = await createMember(service);
    const { id } = invitationOf(await invite({ roleId: other.roleId }, other.token));
    const responses = await Promise.all([...unknownIds, id].map((unknown) => withdraw(unknown)));
    expect(statusesOf(responses)).toEqual(responses.map(() => 404));
    expect(totalOf(await list('', other.token))).toBe(1);
  });

  it('should return 401 without a token and 403 without the permission', async () => {
    const { id } = invitationOf(await invite());
    expect((await call(service.url, `DELETE /invitations/${id}`)).status).toBe(401);
    expect((await withdraw(id, (await join({ permissions: ['get-members'] })).token)).status).toBe(403);
  });
});

describe('POST /auth/accept-invitation', () => {
  it('should sign in, create the account with its role, and record an event', async () => {
    const viewer = await join({ permissions: ['get-usage'] });
    const response = await accept({ token: tokenOf(await invite({ roleId: viewer.roleId })), name: ' Ada ' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ accessToken: expect.any(String) as string, tokenType: 'Bearer', expiresIn: 900 });
    expect((await me(response)).body).toMatchObject({
      user: { email, name: 'Ada' },
      organization: { id: owner.organizationId },
      permissions: ['get-usage'],
    });
    expect((await call(service.url, 'POST /auth/sign-in', { body: { email, password } })).status).toBe(200);
    expect((await readAuditEvents(service, { organizationId: owner.organizationId }))[1]).toMatchObject({
      action: 'invitation.accept',
      actorEmail: email,
      targetName: email,
      after: { role: `Role ${viewer.roleId}` },
    });
  });

  it('should add an existing account, keeping its name and password', async () => {
    const other = await createMember(service, { email, passwordHash: await hashPassword(password) });
    const response = await accept({ token: tokenOf(await invite()), name: 'Another name' });
    expect((await me(response)).body).toMatchObject({
      user: { id: other.userId, name: 'A member' },
      organization: { id: owner.organizationId },
    });
    expect((await call(service.url, 'GET /organizations', { token: other.token })).body).toMatchObject({
      organizations: [{ id: other.organizationId }, { id: owner.organizationId }],
    });
  });

  it('should return 401 for a wrong password, record it, and keep the invitation open', async () => {
    await createMember(service, { email, passwordHash: await hashPassword(password) });
    const token = tokenOf(await invite());
    const response = await accept({ token, password: 'not the password' });
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({ code: 'sign-in-failed' });
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="keycard"');
    expect((await readAuditEvents(service, { organizationId: owner.organizationId }))[1]).toMatchObject({
      action: 'sign-in-failed',
      actorId: null,
    });
    expect((await accept({ token, name: undefined })).status).toBe(200);
  });

  it('should return 404 with a clear message for wrong and used tokens', async () => {
    const token = tokenOf(await invite());
    expect((await accept({ token })).status).toBe(200);
    for (const wrong of [token, `${token}x`, 'x', '\u0000', '\ud83d']) {
      const response = await accept({ token: wrong });
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ detail: expect.stringContaining('Invitation not found') as string });
    }
  });

  it('should return 404 with the expiry by the database clock', async () => {
    const response = await invite();
    const expire = (interval: string) =>
      service.query('update invitations set expires_at = now() + $1::interval where id = $2', [
        interval,
        invitationOf(response).id,
      ]);
    await expire('-1 millisecond');
    const late = await accept({ token: tokenOf(response) });
    expect(late.status).toBe(404);
    expect(late.body).toMatchObject({ code: 'invitation-expired' });
    await expire('1 minute');
    expect((await accept({ token: tokenOf(response) })).status).toBe(200);
  });

  it('should succeed for exactly one of two concurrent requests', async () => {
    for (let round = 0; round < 3; round++) {
      const token = tokenOf(await invite({ email: `${round}-${email}` }));
      expect(statusesOf(await Promise.all([accept({ token }), accept({ token })]))).toEqual([200, 404]);
    }
    expect((await call(service.url, 'GET /members', { token: owner.token })).body).toMatchObject({ total: 4 });
  });

  it('should create one account for concurrent invitations of two organizations', async () => {
    const other = await createMember(service);
    const responses = [await invite(), await invite({ roleId: other.roleId }, other.token)];
    const accepted = await Promise.all(responses.map((response) => accept({ token: tokenOf(response) })));
    expect(statusesOf(accepted)).toEqual([200, 200]);
    expect(await service.query('select id from users where email = $1', [email])).toHaveLength(1);
  });

  it.each([
    ['token', { token: undefined }],
    ['token', { token: 1 }],
    ['token', { token: 'x'.repeat(1025) }],
    ['name', { name: 'a' }],
    ['name', { name: null }],
    ['password', { password: '' }],
    ['role', { role: 'Owner' }],
  ])('should return 400 naming %s for %j', async (field, body) => {
    const response = await accept({ token: 'x', ...body });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });

  it.each([
    ['password', { password: 'correct\nhorse battery' }],
    ['password', { password: 'only 11 ch.' }],
    ['password', { password: 'x'.repeat(257) }],
    ['password', { password: 'password1234' }],
  ])('should return 400 naming %s if a new account cannot have %j', async (field, body) => {
    const token = tokenOf(await invite());
    const response = await accept({ token, ...body });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
    expect((await accept({ token })).status).toBe(200);
  });
});

describe('An invitation token', () => {
  it('should appear only in the response that creates it', async () => {
    const open = tokenOf(await invite());
    const used = tokenOf(await invite({ email: `second-${email}` }));
    await accept({ token: used });
    await call(service.url, 'POST /auth/preview-invitation', { body: { token: open } });
    await accept({ token: open, password: 'short' });
    const tables = await service.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
    );
    const rows = await Promise.all(tables.map(({ name }) => service.query(`select t::text as row from ${name} t`)));
    const kept = JSON.stringify(rows) + service.logLines.join('');
    expect(kept).toContain(email);
    expect(kept).toContain('/auth/accept-invitation');
    for (const token of [String(open), String(used)]) {
      expect(kept).not.toContain(token);
      expect(kept).not.toContain(Buffer.from(token).toString('hex'));
    }
  });
});
