import type { Permission } from '../../src/access/permissions.js';
import { createMember, type Member, openSession } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { useSingleSignOn } from '../setup/single-sign-on.js';
import type { Person } from './test-provider.js';

let owner: Member;
let attacker: Person;
let beginSeconds: number;

const { provider, service } = useSingleSignOn({ defaultRole: 'Newcomer' });
beforeEach(async () => {
  beginSeconds = Math.floor(Date.now() / 1000);
  owner = await createMember(service);
  const { organizationId: organization } = owner;
  attacker = provider.meet({ organization, roles: ['Engineers'] });
});

const createRole = async (name: string, permissions: Permission[]): Promise<string> => {
  const response = await call(service.url, 'POST /roles', { token: owner.token, body: { name, permissions } });
  return (response.body as { id: string }).id;
};
const tokenFor = (person: Person, claims: object = {}, laterSeconds = 0) =>
  provider.sign({ ...person, iat: beginSeconds + laterSeconds, ...claims });
const permissionsOf = async (token: string) => {
  const { body } = await call(service.url, 'GET /auth/me', { token });
  return (body as { permissions: Permission[] }).permissions;
};
const rename = (token: string, id: string, name: string): Promise<CallResponse> =>
  call(service.url, `PATCH /roles/${id}`, { token, body: { name } });

const rights: Permission[] = ['create-roles', 'delete-roles', 'get-roles', 'update-roles'];
const forbidden = { code: 'missing-permission', detail: expect.stringContaining('Renaming a role') as string };

/** Opens a browser session, which isn't compared with the provider on each request. */
async function openSessionFor(person: Person): Promise<string> {
  await permissionsOf(await tokenFor(person));
  const [user] = await service.query<{ id: string }>('select id from users where email = $1', [person.email]);
  if (user === undefined) throw new Error('The provider admitted no one.');
  const { token } = await openSession(service, { userId: user.id, organizationId: owner.organizationId });
  return token;
}

describe('A member with a role assigned by name', () => {
  it('should gain nothing by renaming a stronger role to that name', async () => {
    const engineers = await createRole('Engineers', rights);
    const session = await openSessionFor(attacker);
    expect((await rename(session, engineers, 'Former engineers')).status).toBe(200);
    const response = await rename(session, owner.roleId, 'Engineers');
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject(forbidden);
    expect((await rename(session, engineers, 'Engineers')).status).toBe(200);
    expect((await permissionsOf(await tokenFor(attacker, {}, 1))).sort()).toEqual(rights);
  });

  it("should gain nothing by renaming a stronger role to the default role's name", async () => {
    const newcomers = await createRole('Newcomer', rights);
    attacker = provider.meet({ organization: owner.organizationId, roles: [] });
    const session = await openSessionFor(attacker);
    expect((await rename(session, newcomers, 'Former newcomers')).status).toBe(200);
    const response = await rename(session, owner.roleId, 'Newcomer');
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject(forbidden);
    expect((await call(service.url, 'GET /auth/me', { token: await tokenFor(attacker, {}, 1) })).status).toBe(403);
  });

  it('should gain nothing by creating a role with that name', async () => {
    const engineers = await createRole('Engineers', rights);
    const session = await openSessionFor(attacker);
    expect((await rename(session, engineers, 'Former engineers')).status).toBe(200);
    const create = (permissions: Permission[]) =>
      call(service.url, 'POST /roles', { token: session, body: { name: 'Engineers', permissions } });
    expect((await create([...rights, 'update-members'])).status).toBe(403);
    expect((await create(rights)).status).toBe(201);
    expect((await permissionsOf(await tokenFor(attacker, {}, 1))).sort()).toEqual(rights);
  });

  it("should not be able to delete another member's additional provider role", async () => {
    await createRole('Engineers', rights);
    const auditors = await createRole('Auditors', ['get-audit-events']);
    const person = provider.meet({ organization: owner.organizationId, roles: ['Engineers', 'Auditors'] });
    await permissionsOf(await tokenFor(person));
    const remove = async () =>
      call(service.url, `DELETE /roles/${auditors}`, { token: await openSessionFor(attacker) });
    const response = await remove();
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ detail: expect.stringContaining(person.email) as string });
    await permissionsOf(await tokenFor(person, { roles: ['Engineers'] }, 1));
    expect((await remove()).status).toBe(200);
  });
});
