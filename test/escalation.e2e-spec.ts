import fc from 'fast-check';
import { allPermissions, type Permission } from '../src/access/permissions.js';
import { permissionsOfMembership } from '../src/organizations/memberships.service.js';
import { createMember, type Member } from './factories/organizations.js';
import type { Person } from './oidc/test-provider.js';
import { type CallResponse, call } from './setup/call.js';
import { useSingleSignOn } from './setup/single-sign-on.js';

/** An attempt by a member. Members and roles are numbers, modulo their count. */
type Attempt = { actor: number } & (
  | { kind: 'create-role'; name: string; permissions: Permission[] }
  | { kind: 'update-role'; role: number; permissions: Permission[] }
  | { kind: 'rename-role'; role: number; name: string }
  | { kind: 'delete-role'; role: number }
  | { kind: 'update-member' | 'invite'; member: number; role: number }
  | { kind: 'delete-member'; member: number }
  | { kind: 'create-service-account'; role: number }
  | { kind: 'update-service-account'; account: number; role: number }
  | { kind: 'rotate-service-account'; account: number }
);

interface ModelRole {
  id: string;
  name: string;
  permissions: Permission[];
}

interface ModelMember {
  userId: string;
  membershipId: string;
  token: string;
  /** The role id, undefined for a non-member. */
  role: string | undefined;
  /** Role names that the provider sends with each request; undefined for members who sign in to Keycard directly. */
  claims: string[] | undefined;
  /** The roles assigned at the provider's last request. */
  provisioned: string[];
  isRemoved: boolean;
}

/** A service account and its role, by id. */
interface ModelAccount {
  id: string;
  role: string;
}

/** A minimal model of the rules: roles are named permission sets, and members have one role or none. */
interface Model {
  organizationId: string;
  roles: ModelRole[];
  members: ModelMember[];
  accounts: ModelAccount[];
  /** Roles of open invitations. */
  offered: string[];
}

const needs = {
  'create-role': 'create-roles',
  'update-role': 'update-roles',
  'rename-role': 'update-roles',
  'delete-role': 'delete-roles',
  'update-member': 'update-members',
  invite: 'create-members',
  'delete-member': 'delete-members',
  'create-service-account': 'create-service-accounts',
  'update-service-account': 'update-service-accounts',
  'rotate-service-account': 'update-service-accounts',
} as const satisfies Record<Attempt['kind'], Permission>;

const unknownId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';

/** Few names, so that they collide with each other and with the provider's. The first is the default role. */
const names = ['Default', 'Engineers', 'Auditors', 'Elsewhere'];
const [defaultRole = ''] = names;

const number = fc.nat({ max: 100 });
const name = fc.constantFrom(...names);
const permissions = fc.subarray(allPermissions);
// Includes permissions to change access, so that most attempts pass the first check.
const powers = fc.subarray([...new Set(Object.values(needs))]).map((some): Permission[] => [...some, 'get-usage']);
const some = fc.oneof(permissions, powers);
const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc.record({ actor: number, kind: fc.constant('create-role'), name, permissions: some }),
  fc.record({ actor: number, kind: fc.constant('update-role'), role: number, permissions: some }),
  { weight: 3, arbitrary: fc.record({ actor: number, kind: fc.constant('rename-role'), role: number, name }) },
  fc.record({ actor: number, kind: fc.constant('delete-role'), role: number }),
  {
    weight: 3,
    arbitrary: fc.record({
      actor: number,
      kind: fc.constantFrom('update-member', 'invite'),
      member: number,
      role: number,
    }),
  },
  fc.record({ actor: number, kind: fc.constant('delete-member'), member: number }),
  fc.record({ actor: number, kind: fc.constant('create-service-account'), role: number }),
  fc.record({ actor: number, kind: fc.constant('update-service-account'), account: number, role: number }),
  fc.record({ actor: number, kind: fc.constant('rotate-service-account'), account: number }),
);

const pick = <Item>(items: Item[], index: number): Item => items[index % items.length] as Item;
const isWithin = (granted: readonly Permission[], held: readonly Permission[]) =>
  granted.every((one) => held.includes(one));
const difference = (one: Permission[], other: Permission[]) =>
  allPermissions.filter((permission) => one.includes(permission) !== other.includes(permission));
/** The provider's additional roles apply while its first one is the member's. */
const rolesOf = ({ role, provisioned }: ModelMember) =>
  role === undefined ? [] : role === provisioned[0] ? provisioned : [role];
const held = ({ roles }: Model, member: ModelMember) =>
  allPermissions.filter((permission) =>
    roles.some(({ id, permissions }) => rolesOf(member).includes(id) && permissions.includes(permission)),
  );
const hasAdministrator = (model: Model) =>
  model.members.some((member) => isWithin(['update-roles', 'update-members'], held(model, member)));

/** Applies the provider's roles to the actor, as each of their requests does. */
function follow(model: Model, index: number): Model {
  const after = structuredClone(model);
  const member = pick(after.members, index);
  if (member.claims === undefined || member.isRemoved) return model;
  const idOf = (wanted: string) => after.roles.find((role) => role.name === wanted)?.id;
  const named = member.claims.map(idOf).filter((id) => id !== undefined);
  const fallback = idOf(defaultRole);
  member.provisioned = named.length > 0 || fallback === undefined ? named : [fallback];
  member.role = member.provisioned[0];
  return hasAdministrator(model) && !hasAdministrator(after) ? model : after;
}

/** Returns the expected status and the model after the attempt. */
function predict(before: Model, tried: Attempt): { status: number; after: Model } {
  const model = follow(before, tried.actor);
  const reject = (status: number) => ({ status, after: model });
  const actor = pick(model.members, tried.actor);
  if (actor.role === undefined) return reject(actor.claims === undefined ? 401 : 403);
  const own = held(model, actor);
  if (!own.includes(needs[tried.kind])) return reject(403);
  const after = structuredClone(model);
  switch (tried.kind) {
    case 'create-role':
      if (!isWithin(tried.permissions, own)) return reject(403);
      if (model.roles.some((role) => role.name === tried.name)) return reject(409);
      // The response contains its id.
      after.roles.push({ id: '', name: tried.name, permissions: tried.permissions });
      return { status: 201, after };
    case 'update-role': {
      const role = pick(after.roles, tried.role);
      if (!isWithin(difference(role.permissions, tried.permissions), own)) return reject(403);
      role.permissions = tried.permissions;
      break;
    }
    case 'rename-role': {
      const role = pick(after.roles, tried.role);
      if (role.name === tried.name) return reject(200);
      if (!isWithin(role.permissions, own)) return reject(403);
      if (model.roles.some((other) => other.name === tried.name)) return reject(409);
      role.name = tried.name;
      break;
    }
    case 'delete-role': {
      const { id } = pick(model.roles, tried.role);
      if (model.offered.includes(id) || model.accounts.some(({ role }) => role === id)) return reject(409);
      if (model.members.some((member) => rolesOf(member).includes(id))) return reject(409);
      after.roles = after.roles.filter((role) => role.id !== id);
      break;
    }
    case 'invite': {
      const role = pick(model.roles, tried.role);
      if (!isWithin(role.permissions, own)) return reject(403);
      after.offered.push(role.id);
      return { status: 201, after };
    }
    case 'update-member': {
      const member = pick(after.members, tried.member);
      const role = pick(model.roles, tried.role);
      if (member.role === undefined) return reject(404);
      if (role.id !== member.role && !isWithin(role.permissions, own)) return reject(403);
      member.role = role.id;
      break;
    }
    case 'delete-member': {
      const member = pick(after.members, tried.member);
      if (member.role === undefined) return reject(404);
      member.role = undefined;
      member.isRemoved = true;
      break;
    }
    case 'create-service-account': {
      const role = pick(model.roles, tried.role);
      if (!isWithin(role.permissions, own)) return reject(403);
      after.accounts.push({ id: '', role: role.id });
      return { status: 201, after };
    }
    case 'update-service-account': {
      if (after.accounts.length === 0) return reject(404);
      const account = pick(after.accounts, tried.account);
      const role = pick(model.roles, tried.role);
      if (role.id !== account.role && !isWithin(role.permissions, own)) return reject(403);
      account.role = role.id;
      break;
    }
    case 'rotate-service-account': {
      if (model.accounts.length === 0) return reject(404);
      const { role } = pick(model.accounts, tried.account);
      // The new secret would grant its permissions to the actor.
      const { permissions } = model.roles.find(({ id }) => id === role) ?? { permissions: [] };
      return reject(isWithin(permissions, own) ? 200 : 403);
    }
  }
  return hasAdministrator(model) && !hasAdministrator(after) ? reject(409) : { status: 200, after };
}

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
    return { ...row, token, claims, isRemoved: false };
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

  it('should follow the rules for every sequence of attempts', async () => {
    const seen = new Set<string>();
    const setting = fc.record({
      roles: fc.array(some, { minLength: 1, maxLength: 3 }),
      claims: fc.array(fc.uniqueArray(name, { maxLength: 2 }), { minLength: 1, maxLength: 2 }),
      assigned: fc.array(some, { minLength: 1, maxLength: 3 }),
    });
    const attempts = fc.array(attempt, { minLength: 5, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(setting, attempts, async (given, tries) => {
        let model = await createModel(given);
        for (const tried of tries) {
          const { status, after } = predict(model, tried);
          const response = await send(model, tried);
          expect({ tried, status: response.status }).toEqual({ tried, status });
          const created = [...after.roles, ...after.accounts].find(({ id }) => id === '');
          if (created !== undefined) created.id = idOf(response);
          const kind = pick(model.members, tried.actor).claims === undefined ? 'member' : 'person';
          seen.add(`${tried.kind} ${status}`).add(`${kind} ${tried.kind} ${status}`);
          await readMemberships(after);
          model = after;
        }
        expect(await readAccounts(model)).toEqual(model.accounts);
        const expected = model.members.filter(({ role }) => role !== undefined);
        expect(await readHeld(model)).toEqual(
          Object.fromEntries(expected.map((member) => [member.userId, held(model, member)])),
        );
      }),
      { numRuns: 60, seed: 20260201, endOnFailure: false },
    );
    // Shows that the attempts covered every rule.
    for (const kind of Object.keys(needs)) {
      expect(seen).toContain(`${kind} 403`);
      expect(seen.has(`${kind} 200`) || seen.has(`${kind} 201`)).toBe(true);
    }
    for (const kind of ['create-role', 'update-role', 'rename-role', 'delete-role', 'update-member', 'delete-member']) {
      expect(seen).toContain(`${kind} 409`);
    }
    for (const outcome of ['200', '403', '409']) expect(seen).toContain(`person rename-role ${outcome}`);
  });
});
