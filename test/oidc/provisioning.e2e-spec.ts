import { v7 as uuidv7 } from 'uuid';
import type { Permission } from '../../src/access/permissions.js';
import { createMember } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { useSingleSignOn } from '../setup/single-sign-on.js';
import type { Person } from './test-provider.js';

let organizationId: string;
let beginSeconds: number;
const roleIds = { viewer: '', creator: '' };

const { provider, service } = useSingleSignOn();
beforeEach(async () => {
  beginSeconds = Math.floor(Date.now() / 1000);
  ({ organizationId } = await createMember(service));
  roleIds.viewer = await createRole('Viewer', ['get-api-keys']);
  roleIds.creator = await createRole('Creator', ['create-api-keys', 'get-api-keys']);
});

async function createRole(name: string, permissions: Permission[], organization = organizationId): Promise<string> {
  const id = uuidv7();
  const sql = 'insert into roles (id, organization_id, name, permissions) values ($1, $2, $3, $4)';
  await service.query(sql, [id, organization, name, permissions]);
  return id;
}

const me = (token: string) => call(service.url, 'GET /auth/me', { token });
/** Sends a request with a token with these claims, issued when the test began or some seconds later. */
const ask = async (person: Person, claims: object = {}, laterSeconds = 0): Promise<CallResponse> =>
  me(await provider.sign({ organization: organizationId, ...person, iat: beginSeconds + laterSeconds, ...claims }));

const permissionsOf = ({ body }: CallResponse) => (body as { permissions?: string[] }).permissions;

const membershipsOf = ({ email }: Person) =>
  service.query<{ role_id: string; organization_id: string }>(
    'select role_id, organization_id from memberships join users on users.id = user_id where email = $1',
    [email],
  );

describe('Roles from the identity provider', () => {
  it('should be combined', async () => {
    const response = await ask(provider.meet(), { roles: ['Viewer', 'Creator'] });
    expect(permissionsOf(response)?.sort()).toEqual(['create-api-keys', 'get-api-keys']);
    expect(response.body).toMatchObject({ role: { name: 'Viewer' } });
  });

  it.each([
    ['unknown', ['Emperor']],
    ['in another case', ['viewer']],
    ['none', []],
    ['missing', undefined],
    ['not names', [1, null, { name: 'Viewer' }]],
    ['an object', { Viewer: true }],
    ['invalid as text', ['Viewer\u0000', '\ud800']],
  ])('should admit no one if they are %s', async (_title, roles) => {
    const person = provider.meet();
    const response = await ask(person, { roles });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'no-organization' });
    expect(await service.query('select from users where email = $1', [person.email])).toEqual([]);
  });

  it('should grant nothing if only another organization has them', async () => {
    const other = await createMember(service);
    await createRole('Auditor', ['get-audit-events'], other.organizationId);
    const person = provider.meet();
    expect((await ask(person, { roles: ['Auditor'] })).status).toBe(403);
    expect(permissionsOf(await ask(person, { roles: ['Auditor', 'Viewer'] }))).toEqual(['get-api-keys']);
  });

  it('should be ignored if unknown, among known ones', async () => {
    const response = await ask(provider.meet(), { roles: ['Emperor', 'Viewer'] });
    expect(permissionsOf(response)).toEqual(['get-api-keys']);
  });

  it('should be updated when they change, with events', async () => {
    const person = provider.meet();
    await ask(person, { roles: ['Viewer'] });
    expect(permissionsOf(await ask(person, { roles: ['Creator'] }, 1))).toContain('create-api-keys');
    expect(await membershipsOf(person)).toEqual([{ role_id: roleIds.creator, organization_id: organizationId }]);
    const events = await service.query(
      'select action, before, after from audit_events where actor_email = $1 order by id',
      [person.email],
    );
    expect(events).toEqual([
      { action: 'member.create', before: null, after: { roles: ['Viewer'] } },
      { action: 'member.update', before: { roles: ['Viewer'] }, after: { roles: ['Creator'] } },
    ]);
  });

  it('should be reduced for older tokens, too, once a newer one names fewer', async () => {
    const person = provider.meet();
    await ask(person, { roles: ['Creator'] });
    await ask(person, { roles: ['Viewer'] }, 2);
    expect(permissionsOf(await ask(person, { roles: ['Creator'] }, 1))).toEqual(['get-api-keys']);
    expect((await ask(person, { roles: [] }, 3)).status).toBe(403);
    expect((await ask(person, { roles: ['Creator'] }, 2)).status).toBe(403);
    expect(await membershipsOf(person)).toEqual([]);
    expect((await ask(person, { roles: ['Viewer'] }, 4)).status).toBe(200);
  });

  it("should grant the role's current permissions", async () => {
    const person = provider.meet();
    await ask(person, { roles: ['Viewer', 'Creator'] });
    await service.query(`update roles set permissions = '{}' where organization_id = $1`, [organizationId]);
    expect(permissionsOf(await ask(person, { roles: ['Viewer', 'Creator'] }))).toEqual([]);
  });
});

describe('A member added by the identity provider', () => {
  it('should stay removed after an administrator removed them', async () => {
    const person = provider.meet();
    await ask(person, { roles: ['Creator'] });
    await service.query('delete from memberships where role_id = $1', [roleIds.creator]);
    for (const later of [0, 5]) {
      const response = await ask(person, { roles: ['Creator'] }, later);
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({ detail: expect.stringContaining('removed') as string });
    }
  });

  it("should keep an administrator's role if the provider names none", async () => {
    const person = provider.meet();
    await ask(person, { roles: ['Viewer', 'Creator'] });
    const other = await createRole('Nothing', []);
    await service.query('update memberships set role_id = $1 where role_id = $2', [other, roleIds.viewer]);
    expect(permissionsOf(await ask(person, {}, 1))).toEqual([]);
  });
});

describe('A member added in Keycard', () => {
  it('should keep the role given in Keycard regardless of the provider', async () => {
    const person = provider.meet();
    await createMember(service, { email: person.email, organizationId, permissions: ['get-usage'] });
    for (const roles of [['Creator'], [], undefined]) {
      expect(permissionsOf(await ask(person, { roles }))).toEqual(['get-usage']);
    }
  });

  it('should not join another organization without a role there', async () => {
    const person = provider.meet();
    await createMember(service, { email: person.email });
    expect((await ask(person)).status).toBe(403);
  });
});

describe('The organization of a token', () => {
  it.each([
    ['unknown', uuidv7()],
    ['not an id', 'Default'],
    ['an object', { id: 1 }],
    ['a number', 7],
    ['empty', ''],
  ])('should be rejected with 403 if the claim is %s', async (_title, organization) => {
    const response = await ask(provider.meet(), { organization, roles: ['Viewer'] });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('"organization"') as string });
  });

  it('should be the first one the user joined if no claim names one', async () => {
    const person = provider.meet();
    const { organizationId: own } = await createMember(service, { email: person.email });
    const response = await ask(person, { organization: undefined });
    expect(response.body).toMatchObject({ organization: { id: own } });
  });

  const findOldest = async () => {
    const sql = 'select id from organizations where deleted_at is null order by created_at limit 1';
    return (await service.query<{ id: string }>(sql))[0];
  };

  it('should not be one that was deleted', async () => {
    const oldest = await findOldest();
    await createRole('Latecomer', ['get-usage'], oldest?.id);
    await service.query('update organizations set deleted_at = now() where id = $1', [oldest?.id]);
    for (const organization of [oldest?.id, undefined]) {
      const response = await ask(provider.meet(), { organization, roles: ['Latecomer'] });
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({ code: 'no-organization' });
    }
  });

  it('should be the oldest for a new person without a claim', async () => {
    const oldest = await findOldest();
    await createRole('Newcomer', ['get-usage'], oldest?.id);
    const response = await ask(provider.meet(), { organization: undefined, roles: ['Newcomer'] });
    expect(response.body).toMatchObject({ organization: { id: oldest?.id }, permissions: ['get-usage'] });
  });
});

describe('The email claim', () => {
  it.each([
    ['missing', { email: undefined }],
    ['malformed', { email: 'ada' }],
    ['not text', { email: ['ada@example.com'] }],
    ['not verified', { email_verified: false }],
  ])('should be required on the first request, with 403 if it is %s', async (_title, claims) => {
    const response = await ask(provider.meet(), { roles: ['Viewer'], ...claims });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'identity-refused' });
  });

  it('should not be required afterwards', async () => {
    const person = provider.meet();
    await ask(person, { roles: ['Viewer'] });
    expect((await ask(person, { roles: ['Viewer'], email: undefined })).status).toBe(200);
  });
});
