import { v7 as uuidv7 } from 'uuid';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { invitationTokenOf, useSingleSignOn } from '../setup/single-sign-on.js';
import type { Person } from './test-provider.js';

const sso = useSingleSignOn();
const { provider, service } = sso;
let owner: Member;
let viewerRoleId: string;
/** The provider always gives this person the Owner role. */
let person: Person;
let beginSeconds: number;

beforeEach(async () => {
  beginSeconds = Math.floor(Date.now() / 1000);
  owner = await createMember(service);
  const body = { name: 'Viewer', permissions: ['get-api-keys'] };
  const role = await call(service.url, 'POST /roles', { token: owner.token, body });
  viewerRoleId = (role.body as { id: string }).id;
  person = provider.meet({ organization: owner.organizationId, roles: [`Role ${owner.roleId}`] });
});

/** Returns the page the browser ends on. */
const signIn = () => sso.signIn(person);

/** Sends a request with an access token of the provider, issued this long after the test began. */
const ask = async (laterSeconds = 0): Promise<CallResponse> => {
  const token = await provider.sign({ ...person, iat: beginSeconds + laterSeconds });
  return call(service.url, 'GET /auth/me', { token });
};

const acceptBySingleSignOn = (token: string) => sso.acceptInvitation(token, person);

async function invite(): Promise<string> {
  const body = { email: person.email, roleId: viewerRoleId };
  const response = await call(service.url, 'POST /members', { token: owner.token, body });
  return invitationTokenOf(response);
}

async function remove(): Promise<number> {
  const { token } = owner;
  const { body } = await call(service.url, `GET /members?search=${person.email}`, { token });
  const [member] = (body as { members: { id: string }[] }).members;
  return (await call(service.url, `DELETE /members/${member?.id}`, { token })).status;
}

const roles = () =>
  service.query<{ roleId: string }>(
    `select role_id as "roleId" from memberships join users on users.id = user_id
      where email = $1 and organization_id = $2`,
    [person.email, owner.organizationId],
  );

const removed = { code: 'no-organization', detail: expect.stringContaining('removed') as string };
const viewer = { role: { name: 'Viewer' }, permissions: ['get-api-keys'] };

describe('A provisioned Owner, removed and invited again as Viewer', () => {
  const waysIn: [string, () => Promise<unknown>][] = [
    ['a sign-in', signIn],
    ['an access token', () => ask()],
  ];
  const waysBack: [string, () => Promise<unknown>][] = waysIn.concat([
    ['an access token issued later', () => ask(30)],
    ['a sign-in and then an access token', () => signIn().then(() => ask(30))],
    ['an access token and then a sign-in', () => ask(30).then(() => signIn())],
  ]);
  const cases = waysIn.flatMap(([first, join]) => waysBack.map(([next, back]) => ({ first, join, next, back })));

  it.each(cases)('should stay Viewer after joining by $first and returning by $next', async ({ join, back }) => {
    await join();
    expect(await roles()).toEqual([{ roleId: owner.roleId }]);
    expect(await remove()).toBe(200);
    const token = await invite();
    // The removal applies until the invitation is accepted.
    await back();
    expect((await ask(60)).body).toMatchObject(removed);
    expect(await roles()).toEqual([]);

    expect(await acceptBySingleSignOn(token)).toBe(`${service.url}/`);
    await back();
    expect((await ask(60)).body).toMatchObject(viewer);
    expect(await roles()).toEqual([{ roleId: viewerRoleId }]);
  });

  it('should stay Viewer if the provider had withdrawn every role', async () => {
    await ask();
    const withdrawn = await provider.sign({ ...person, roles: [], iat: beginSeconds + 1 });
    expect((await call(service.url, 'GET /auth/me', { token: withdrawn })).status).toBe(403);
    expect(await acceptBySingleSignOn(await invite())).toBe(`${service.url}/`);
    expect((await ask(60)).body).toMatchObject(viewer);
  });

  it('should stay removed after a second removal', async () => {
    await ask();
    await remove();
    await acceptBySingleSignOn(await invite());
    expect(await remove()).toBe(200);
    expect((await ask(60)).body).toMatchObject(removed);
    expect(await signIn()).toBe(`${service.url}/sign-in?error=no-organization`);
  });
});

describe('A member with a password, removed and invited again', () => {
  it("should stay removed, then keep the invitation's role regardless of the provider", async () => {
    const password = 'correct horse battery staple';
    const accept = async () => {
      const body = { token: await invite(), name: 'Ada', password };
      return (await call(service.url, 'POST /auth/accept-invitation', { body })).status;
    };
    expect(await accept()).toBe(200);
    expect(await remove()).toBe(200);
    // A removal in Keycard also applies if the provider had never named them.
    expect((await ask()).body).toMatchObject(removed);
    expect(await accept()).toBe(200);
    expect((await ask(30)).body).toMatchObject(viewer);
    expect(await signIn()).toBe(`${service.url}/`);
    expect(await roles()).toEqual([{ roleId: viewerRoleId }]);
  });
});

describe('Removal from one organization', () => {
  it('should not affect another organization', async () => {
    await ask();
    await remove();
    const other = await createMember(service);
    const claims = { ...person, organization: other.organizationId, roles: [`Role ${other.roleId}`] };
    const token = await provider.sign({ ...claims, jti: uuidv7() });
    expect((await call(service.url, 'GET /auth/me', { token })).status).toBe(200);
  });
});
