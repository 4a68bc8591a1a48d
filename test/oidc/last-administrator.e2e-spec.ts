import { v7 as uuidv7 } from 'uuid';
import { allPermissions, type Permission } from '../../src/access/permissions.js';
import { createMember } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { useSingleSignOn } from '../setup/single-sign-on.js';
import type { TestApp } from '../setup/test-app.js';
import { useTestApp } from '../setup/use-test-app.js';
import { oidcSettings } from './oidc-settings.js';
import type { Person } from './test-provider.js';

const { provider, service, signIn } = useSingleSignOn();
let organizationId: string;
let beginSeconds: number;
/** The only Owner, assigned by the provider. */
let person: Person;

beforeEach(async () => {
  beginSeconds = Math.floor(Date.now() / 1000);
  const founder = await createMember(service);
  ({ organizationId } = founder);
  await createRole('Owner', allPermissions);
  await createRole('Viewer', ['get-api-keys']);
  await createRole('Member manager', ['update-members']);
  await createRole('Role manager', ['update-roles']);
  person = provider.meet({ organization: organizationId });
  expect((await ask(['Owner'])).status).toBe(200);
  await service.query('delete from memberships where id = $1', [founder.membershipId]);
});

async function createRole(name: string, permissions: Permission[]): Promise<void> {
  const sql = 'insert into roles (id, organization_id, name, permissions) values ($1, $2, $3, $4)';
  await service.query(sql, [uuidv7(), organizationId, name, permissions]);
}

/** Sends a request with a token with these roles, issued this long after the test began. */
const ask = async (roles: string[] | undefined, laterSeconds = 0, who = person): Promise<CallResponse> => {
  const token = await provider.sign({ ...who, roles, iat: beginSeconds + laterSeconds });
  return call(service.url, 'GET /auth/me', { token });
};

const events = (action: string) =>
  service.query<{ target_name: string; after: unknown }>(
    'select target_name, after from audit_events where organization_id = $1 and action = $2 order by occurred_at, id',
    [organizationId, action],
  );

const asOwner = { role: { name: 'Owner' }, permissions: expect.arrayContaining(['update-roles']) as string[] };

describe('The last member who can change roles and members', () => {
  it.each([
    ['another role', ['Viewer']],
    ['only half of it', ['Member manager', 'Viewer']],
    ['no role', []],
    ['only roles that do not exist', ['Emperor']],
  ])('should stay Owner if the provider names %s, with one event', async (_title, roles) => {
    for (const later of [1, 1, 2]) {
      const response = await ask(roles, later);
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject(asOwner);
    }
    const refusedRoles = roles.filter((name) => name !== 'Emperor');
    expect(await events('member.keep')).toEqual([{ target_name: person.email, after: { refusedRoles } }]);
    expect([...(await events('member.update')), ...(await events('member.delete'))]).toEqual([]);
  });

  it('should stay Owner when signing in with a browser', async () => {
    expect(await signIn(provider.meet({ ...person, roles: [] }))).toBe(`${service.url}/`);
    expect((await ask(['Owner'], 1)).body).toMatchObject(asOwner);
  });

  it('should follow a change that keeps both permissions in any roles', async () => {
    const response = await ask(['Member manager', 'Role manager'], 1);
    expect((response.body as { permissions: string[] }).permissions.sort()).toEqual(['update-members', 'update-roles']);
    expect(await events('member.keep')).toEqual([]);
    expect((await ask(['Viewer'], 2)).body).toMatchObject({ role: { name: 'Member manager' } });
    expect(await events('member.keep')).toHaveLength(1);
  });

  it('should lose the role with the next token once someone else can change roles and members', async () => {
    expect((await ask(['Viewer'], 1)).body).toMatchObject(asOwner);
    const other = provider.meet({ organization: organizationId });
    expect((await ask(['Owner'], 1, other)).status).toBe(200);
    expect((await ask(['Viewer'], 2)).body).toMatchObject({ role: { name: 'Viewer' }, permissions: ['get-api-keys'] });
    expect((await ask([], 3, other)).body).toMatchObject(asOwner);
  });

  it('should be one of two whom the provider demotes concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const other = provider.meet({ organization: organizationId });
      await ask(['Owner'], 2 * round, other);
      await ask(['Owner'], 2 * round);
      const responses = await Promise.all([ask([], 2 * round + 1, other), ask([], 2 * round + 1)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
      if (responses[0]?.status === 200) person = other;
    }
  });

  it('should not regain permissions from an older token', async () => {
    await createRole('Auditor', ['get-audit-events']);
    await service.query(
      `update roles set permissions = array_remove(permissions, 'get-audit-events') where name = 'Owner'`,
    );
    expect((await ask(['Viewer'], 2)).status).toBe(200);
    const response = await ask(['Owner', 'Auditor'], 1);
    expect((response.body as { permissions: string[] }).permissions).not.toContain('get-audit-events');
  });
});

describe('A provisioned member with a token without the roles claim', () => {
  let viewer: Person;
  const send = async ({ url }: TestApp, roles: string[] | undefined, laterSeconds: number) => {
    const token = await provider.sign({ ...viewer, roles, iat: beginSeconds + laterSeconds });
    return call(url, 'GET /auth/me', { token });
  };

  const strict = useTestApp(() => {
    const oidc = { ...oidcSettings(provider), missingRoles: 'remove', defaultRole: 'Newcomer' } as const;
    return { database: service.database, config: { oidc } };
  });
  beforeEach(async () => {
    viewer = provider.meet({ organization: organizationId });
    expect((await send(service, ['Viewer'], 0)).status).toBe(200);
  });

  it('should keep their roles by default', async () => {
    expect((await send(service, undefined, 1)).body).toMatchObject({ role: { name: 'Viewer' } });
  });

  it('should be removed with OIDC_MISSING_ROLES=remove, and return with the next role', async () => {
    const response = await send(strict, undefined, 1);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: 'no-organization' });
    expect((await send(strict, ['Viewer'], 2)).body).toMatchObject({ role: { name: 'Viewer' } });
  });

  it('should get the default role with OIDC_MISSING_ROLES=remove if it exists', async () => {
    await createRole('Newcomer', []);
    expect((await send(strict, undefined, 1)).body).toMatchObject({ role: { name: 'Newcomer' }, permissions: [] });
  });

  it('should stay the last one who can change roles and members regardless of the setting', async () => {
    viewer = person;
    expect((await send(strict, undefined, 1)).body).toMatchObject(asOwner);
  });
});
