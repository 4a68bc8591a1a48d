import { DataSource } from 'typeorm';
import { createMember, type Member } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { waitFor } from '../setup/wait-for.js';
import { invitationTokenOf, useSingleSignOn } from '../setup/single-sign-on.js';
import { Browser } from './browser.js';
import { callbackPath, type Person } from './test-provider.js';

const { provider, service } = useSingleSignOn();
let person: Person;

beforeEach(() => {
  person = provider.meet();
});

const seconds = () => Math.floor(new Date().getTime() / 1000);

/** Issues a token for the person with this member's role, now or some seconds later. */
const issue = ({ organizationId, roleId }: Member, laterSeconds = 0): Promise<string> => {
  const claims = { organization: organizationId, roles: [`Role ${roleId}`], iat: seconds() + laterSeconds };
  return provider.sign({ ...person, ...claims });
};
const me = (token: string): Promise<CallResponse> => call(service.url, 'GET /auth/me', { token });

const membershipsOf = ({ email }: Person) =>
  service.query<{ id: string }>(
    'select memberships.id from memberships join users on users.id = user_id where email = $1',
    [email],
  );

/** Holds the statement's locks on the member's organization until the returned function is called. */
async function block(statement: string, { organizationId }: Member): Promise<() => Promise<void>> {
  const blocker = service.app.get(DataSource).createQueryRunner();
  await blocker.startTransaction();
  await blocker.query(statement, [organizationId]);
  return async () => {
    await blocker.rollbackTransaction();
    await blocker.release();
  };
}

describe('A person the identity provider adds to another organization', () => {
  it('should be admitted by each of many concurrent requests', async () => {
    expect((await me(await issue(await createMember(service)))).status).toBe(200);
    for (let round = 0; round < 10; round++) {
      const token = await issue(await createMember(service));
      const responses = await Promise.all(Array.from({ length: 16 }, () => me(token)));
      expect(responses.map(({ body }) => (body as { detail?: string }).detail)).toEqual(responses.map(() => undefined));
    }
  });
});

describe('A member removed by an administrator', () => {
  it('should stay removed if the identity provider changes the membership concurrently', async () => {
    const owner = await createMember(service);
    expect((await me(await issue(owner))).status).toBe(200);
    const [membership] = await membershipsOf(person);

    const unblock = await block('select from provisioned_memberships where organization_id = $1 for update', owner);
    const changed = me(await issue(owner, 1));
    await waitFor(async () => (await countLockWaits(service)) === 1);
    let isRemoved = false;
    const removed = call(service.url, `DELETE /members/${membership?.id}`, { token: owner.token }).then((response) => {
      isRemoved = true;
      return response.status;
    });
    await waitFor(async () => isRemoved || (await countLockWaits(service)) === 2);
    await unblock();

    await changed;
    expect(await removed).toBe(200);
    expect(await membershipsOf(person)).toEqual([]);
    expect((await me(await issue(owner, 2))).status).toBe(403);
  });
});

describe('A person who accepts an invitation', () => {
  it('should be admitted together with a concurrent request with their token', async () => {
    const owner = await createMember(service);
    const body = { email: person.email, roleId: owner.roleId };
    const invitation = await call(service.url, 'POST /members', { token: owner.token, body });
    const token = invitationTokenOf(invitation);
    const browser = new Browser();
    provider.visitor = person;
    const started = await browser.post(`${service.url}/auth/oidc/start-invitation`, { token });
    const { url } = (await started.json()) as { url: string };
    const callback = await browser.follow(url, (reached) => reached.startsWith(service.url + callbackPath));

    const unblock = await block('select from organizations where id = $1 for no key update', owner);
    const accepted = browser.step(callback);
    await waitFor(async () => (await countLockWaits(service)) === 1);
    const asked = me(await issue(owner));
    await waitFor(async () => (await countLockWaits(service)) === 2);
    await unblock();
    expect(await accepted).toBe(`${service.url}/`);
    expect((await asked).status).toBe(200);
  });
});
