import fc from 'fast-check';
import { allPermissions, type Permission } from '../../src/access/permissions.js';
import { permissionsOfMembership } from '../../src/organizations/memberships.service.js';
import { createMember, type Member } from '../factories/organizations.js';
import type { Person } from '../oidc/test-provider.js';
import { assertOutcomes } from '../setup/assert-outcomes.js';
import { type CallResponse, call } from '../setup/call.js';
import { useSingleSignOn } from '../setup/single-sign-on.js';
import { type Attempt, attempt, defaultRole, names, needs, someName, somePermissions } from './attempts.js';
import { held, type Model, type ModelAccount, type ModelMember, type ModelRole, pick, predict } from './model.js';

const unknownId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';

/** What must have happened to attempts of each kind, and to people who sign in through the provider. */
const outcomes = [
  ...[...Object.keys(needs), 'create-organization'].flatMap((kind) => [`${kind} allowed`, `${kind} 403`]),
  ...['create-role', 'update-role', 'rename-role', 'delete-role', 'update-member', 'delete-member'].map(
    (kind) => `${kind} 409`,
  ),
  ...['allowed', '403', '409'].map((outcome) => `person rename-role ${outcome}`),
  ...['allowed', '403'].map((outcome) => `person create-organization ${outcome}`),
];

describe('Granting permissions', () => {
  let counter = 0;
  const { provider, service } = useSingleSignOn({ defaultRole });

  interface Setting {
    /** Permissions of roles, each held by a member who signs in to Keycard directly. */
    roles: Permission[][];
    /** Role names that the provider sends for each of its users. */
    claims: string[][];
    /** Permissions of roles with the names that the provider uses. */
    assigned: Permission[][];
  }

  async function createModel({ roles, claims, assigned }: Setting): Promise<Model> {
    const owner = await createMember(service);
    const { organizationId } = owner;
    const members = [owner];
    for (const some of roles) members.push(await createMember(service, { organizationId, permissions: some }));
    const model: Model = {
      organizationId,
      roles: members.map(({ roleId }, index) => ({
        id: roleId,
        name: `Role ${roleId}`,
        permissions: roles[index - 1] ?? allPermissions,
      })),
      members: members.map(({ userId, membershipId, token, roleId }) => ({
        userId,
        membershipId,
        token,
        role: roleId,
        claims: undefined,
        provisioned: [],
        isRemoved: false,
        isOwnerElsewhere: false,
      })),
      accounts: [],
      offered: [],
    };
    for (const [index, some] of assigned.entries()) model.roles.push(await createRole(owner, names[index] ?? '', some));
    for (const names of claims) model.members.push(await joinThroughProvider(organizationId, names));
    return model;
  }

  async function createRole({ token }: Member, name: string, permissions: Permission[]): Promise<ModelRole> {
    const response = await call(service.url, 'POST /roles', { token, body: { name, permissions } });
    return { id: idOf(response), name, permissions };
  }

  /** Signs a person in through the provider. They get the claimed roles that exist, or the default role. */
  async function joinThroughProvider(organizationId: string, claims: string[]): Promise<ModelMember> {
    const person: Person = provider.meet({ organization: organizationId, roles: claims });
    const token = await provider.sign({ ...person, exp: Math.floor(Date.now() / 1000) + 3600 });
    expect((await call(service.url, 'GET /auth/me', { token })).status).toBe(200);
    const [row] = await service.query<{ userId: string; membershipId: string; role: string; provisioned: string[] }>(
      `select user_id as "userId", memberships.id as "membershipId", role_id as role, role_ids as provisioned
         from memberships join users on users.id = user_id join provisioned_memberships using (user_id, organization_id)
        where email = $1`,
      [person.email],
    );
    if (row === undefined) throw new Error('The person was not admitted.');
    return { ...row, token, claims, isRemoved: false, isOwnerElsewhere: false };
  }

  const idOf = ({ body }: CallResponse) => (body as { id: string }).id;

  const accountId = ({ accounts }: Model, index: number) =>
    accounts.length === 0 ? unknownId : pick(accounts, index).id;

  /** Sends the attempt as a request. */
  function send(model: Model, tried: Attempt): Promise<CallResponse> {
    const { token } = pick(model.members, tried.actor);
    const request = (route: string, body?: object) => call(service.url, route, { token, body });
    switch (tried.kind) {
      case 'create-role':
        return request('POST /roles', { name: tried.name, permissions: tried.permissions });
      case 'update-role':
        return request(`PATCH /roles/${pick(model.roles, tried.role).id}`, { permissions: tried.permissions });
      case 'rename-role':
        return request(`PATCH /roles/${pick(model.roles, tried.role).id}`, { name: tried.name });
      case 'delete-role':
        return request(`DELETE /roles/${pick(model.roles, tried.role).id}`);
      case 'update-member': {
        const roleId = pick(model.roles, tried.role).id;
        return request(`PATCH /members/${pick(model.members, tried.member).membershipId}`, { roleId });
      }
      case 'invite': {
        const email = `${++counter}@example.com`;
        return request('POST /members', { email, roleId: pick(model.roles, tried.role).id });
      }
      case 'delete-member':
        return request(`DELETE /members/${pick(model.members, tried.member).membershipId}`);
      case 'create-service-account':
        return request('POST /service-accounts', { name: 'Pipeline', roleId: pick(model.roles, tried.role).id });
      case 'update-service-account': {
        const roleId = pick(model.roles, tried.role).id;
        return request(`PATCH /service-accounts/${accountId(model, tried.account)}`, { roleId });
      }
      case 'create-organization':
        return request('POST /organizations', { name: 'Elsewhere' });
      case 'rotate-service-account': {
        const route = `POST /service-accounts/${accountId(model, tried.account)}/rotate`;
        return request(route, { gracePeriodSeconds: 0 });
      }
    }
  }

  /** A member readmitted by the provider has a new membership. */
  async function readMemberships(model: Model): Promise<void> {
    const rows = await service.query<{ id: string; userId: string }>(
      'select id, user_id as "userId" from memberships where organization_id = $1',
      [model.organizationId],
    );
    for (const { id, userId } of rows) {
      const member = model.members.find((one) => one.userId === userId);
      if (member !== undefined) member.membershipId = id;
    }
  }

  /** Returns each member's actual permissions by user id. */
  async function readHeld({ organizationId }: Model): Promise<Record<string, Permission[]>> {
    const rows = await service.query<{ userId: string; permissions: Permission[] }>(
      `select user_id as "userId", ${permissionsOfMembership} as permissions
         from memberships membership where organization_id = $1`,
      [organizationId],
    );
    return Object.fromEntries(
      rows.map(({ userId, permissions }) => [userId, allPermissions.filter((one) => permissions.includes(one))]),
    );
  }

  const readAccounts = ({ organizationId }: Model) =>
    service.query<ModelAccount>(
      'select id, role_id as role from service_accounts where organization_id = $1 order by id',
      [organizationId],
    );

  it('should follow the rules for every sequence of attempts, until every outcome has occurred', async () => {
    const seen = new Set<string>();
    const setting = fc.record({
      roles: fc.array(somePermissions, { minLength: 1, maxLength: 3 }),
      claims: fc.array(fc.uniqueArray(someName, { maxLength: 2 }), { minLength: 1, maxLength: 2 }),
      assigned: fc.array(somePermissions, { minLength: 1, maxLength: 3 }),
    });
    const attempts = fc.array(attempt, { minLength: 5, maxLength: 25 });
    const owner: Setting = { roles: [[]], claims: [['Default'], []], assigned: [allPermissions] };
    const creations = [1, 2, 3].map((actor) => ({ actor, kind: 'create-organization' as const }));
    const property = fc.asyncProperty(setting, attempts, async (given, tries) => {
      let model = await createModel(given);
      for (const tried of tries) {
        const { status, after } = predict(model, tried);
        const response = await send(model, tried);
        expect({ tried, status: response.status }).toEqual({ tried, status });
        const created = [...after.roles, ...after.accounts].find(({ id }) => id === '');
        if (created !== undefined) created.id = idOf(response);
        const kind = pick(model.members, tried.actor).claims === undefined ? 'member' : 'person';
        const outcome = status < 300 ? 'allowed' : status;
        seen.add(`${tried.kind} ${outcome}`).add(`${kind} ${tried.kind} ${outcome}`);
        if (kind === 'person') await readMemberships(after);
        model = after;
      }
      expect(await readAccounts(model)).toEqual(model.accounts);
      const expected = model.members.filter(({ role }) => role !== undefined);
      expect(await readHeld(model)).toEqual(
        Object.fromEntries(expected.map((member) => [member.userId, held(model, member)])),
      );
    });
    await assertOutcomes(property, {
      outcomes,
      seen,
      minRuns: 60,
      maxRuns: 1000,
      // Random roles rarely have every permission.
      examples: [[owner, creations]],
    });
  });
});
