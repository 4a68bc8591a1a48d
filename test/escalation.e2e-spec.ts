import fc from 'fast-check';
import { allPermissions, type Permission } from '../src/auth/permissions.js';
import { createMember, type Member } from './factories/organizations.js';
import { call } from './setup/call.js';
import { startTestApp, type TestApp } from './setup/test-app.js';

/** What a member tries. Members and roles are meant by number, modulo how many there are. */
type Attempt = { actor: number } & (
  | { kind: 'create-role'; permissions: Permission[] }
  | { kind: 'update-role'; role: number; permissions: Permission[] }
  | { kind: 'update-member' | 'invite'; member: number; role: number }
  | { kind: 'delete-member'; member: number }
);

/** The rules in their shortest form: roles are sets of permissions, members have a role or are gone. */
interface Model {
  roles: { id: string; permissions: Permission[] }[];
  members: (Member & { role: number | undefined })[];
}

const needs = {
  'create-role': 'create-roles',
  'update-role': 'update-roles',
  'update-member': 'update-members',
  invite: 'create-members',
  'delete-member': 'delete-members',
} as const satisfies Record<Attempt['kind'], Permission>;

const number = fc.nat({ max: 100 });
const permissions = fc.subarray(allPermissions);
// Roles that may change access, lest most attempts end at the first gate.
const powers = fc.subarray(Object.values(needs)).map((some): Permission[] => [...some, 'get-usage']);
const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc.record({ actor: number, kind: fc.constant('create-role'), permissions: fc.oneof(permissions, powers) }),
  fc.record({
    actor: number,
    kind: fc.constant('update-role'),
    role: number,
    permissions: fc.oneof(permissions, powers),
  }),
  fc.record({ actor: number, kind: fc.constantFrom('update-member', 'invite'), member: number, role: number }),
  fc.record({ actor: number, kind: fc.constant('delete-member'), member: number }),
);

const pick = <Item>(items: Item[], index: number): Item => items[index % items.length] as Item;
const isWithin = (granted: Permission[], held: Permission[]) => granted.every((one) => held.includes(one));
const difference = (one: Permission[], other: Permission[]) =>
  allPermissions.filter((permission) => one.includes(permission) !== other.includes(permission));
const held = ({ roles }: Model, { role }: Model['members'][number]) =>
  role === undefined ? [] : (roles[role]?.permissions ?? []);
const hasAdministrator = (model: Model) =>
  model.members.some((member) => isWithin(['update-roles', 'update-members'], held(model, member)));

/** What the attempt must be answered with, and the model after it. */
function predict(model: Model, tried: Attempt): { status: number; after: Model } {
  const refuse = (status: number) => ({ status, after: model });
  const actor = pick(model.members, tried.actor);
  if (actor.role === undefined) return refuse(401);
  const own = held(model, actor);
  if (!own.includes(needs[tried.kind])) return refuse(403);
  const after = structuredClone(model);
  switch (tried.kind) {
    case 'create-role':
      return isWithin(tried.permissions, own) ? { status: 201, after } : refuse(403);
    case 'update-role': {
      const role = pick(after.roles, tried.role);
      if (!isWithin(difference(role.permissions, tried.permissions), own)) return refuse(403);
      role.permissions = tried.permissions;
      break;
    }
    case 'invite':
      return isWithin(pick(model.roles, tried.role).permissions, own) ? { status: 201, after } : refuse(403);
    case 'update-member': {
      const member = pick(after.members, tried.member);
      const role = tried.role % model.roles.length;
      if (member.role === undefined) return refuse(404);
      if (role !== member.role && !isWithin(pick(model.roles, role).permissions, own)) return refuse(403);
      member.role = role;
      break;
    }
    case 'delete-member': {
      const member = pick(after.members, tried.member);
      if (member.role === undefined) return refuse(404);
      member.role = undefined;
      break;
    }
  }
  return hasAdministrator(model) && !hasAdministrator(after) ? refuse(409) : { status: 200, after };
}

describe('Who may give what to whom', () => {
  let service: TestApp;
  let counter = 0;
  beforeAll(async () => {
    service = await startTestApp();
  });
  afterAll(() => service.stop());

  async function createModel(roles: Permission[][]): Promise<Model> {
    const owner = await createMember(service);
    const { organizationId } = owner;
    const members = [owner];
    for (const some of roles) members.push(await createMember(service, { organizationId, permissions: some }));
    return {
      roles: members.map(({ roleId }, index) => ({ id: roleId, permissions: roles[index - 1] ?? allPermissions })),
      members: members.map((member, role) => ({ ...member, role })),
    };
  }

  /** Sends the attempt as a request. */
  function send(model: Model, tried: Attempt) {
    const { token } = pick(model.members, tried.actor);
    const request = (route: string, body?: object) => call(service.url, route, { token, body });
    const fresh = `${++counter}`;
    switch (tried.kind) {
      case 'create-role':
        return request('POST /roles', { name: `Role ${fresh}`, permissions: tried.permissions });
      case 'update-role':
        return request(`PATCH /roles/${pick(model.roles, tried.role).id}`, { permissions: tried.permissions });
      case 'update-member': {
        const roleId = pick(model.roles, tried.role).id;
        return request(`PATCH /members/${pick(model.members, tried.member).membershipId}`, { roleId });
      }
      case 'invite':
        return request('POST /members', { email: `${fresh}@example.com`, roleId: pick(model.roles, tried.role).id });
      case 'delete-member':
        return request(`DELETE /members/${pick(model.members, tried.member).membershipId}`);
    }
  }

  /** What each member really holds, by user. */
  async function readHeld({ members }: Model): Promise<Record<string, Permission[]>> {
    const rows = await service.query<{ user_id: string; permissions: Permission[] }>(
      `select user_id, permissions from memberships join roles on roles.id = role_id
       where memberships.organization_id = $1`,
      [members[0]?.organizationId],
    );
    return Object.fromEntries(
      rows.map((row) => [row.user_id, allPermissions.filter((one) => row.permissions.includes(one))]),
    );
  }

  it('should follow the rules, whatever is tried by whom in whatever order', async () => {
    const seen = new Set<string>();
    const roles = fc.array(fc.oneof(permissions, powers), { minLength: 2, maxLength: 4 });
    const attempts = fc.array(attempt, { minLength: 5, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(roles, attempts, async (some, tries) => {
        let model = await createModel(some);
        for (const tried of tries) {
          const { status, after } = predict(model, tried);
          const answer = await send(model, tried);
          expect({ tried, status: answer.status }).toEqual({ tried, status });
          seen.add(`${tried.kind} ${status}`);
          model = after;
        }
        const expected = model.members.filter(({ role }) => role !== undefined);
        expect(await readHeld(model)).toEqual(
          Object.fromEntries(
            expected.map((member) => [
              member.userId,
              allPermissions.filter((one) => held(model, member).includes(one)),
            ]),
          ),
        );
      }),
      { numRuns: 40, seed: 20260131, endOnFailure: false },
    );
    // That it meets each rule, and not only the first gate.
    for (const kind of Object.keys(needs)) {
      expect(seen).toContain(`${kind} 403`);
      expect(seen.has(`${kind} 200`) || seen.has(`${kind} 201`)).toBe(true);
    }
    for (const kind of ['update-role', 'update-member', 'delete-member']) expect(seen).toContain(`${kind} 409`);
  });
});
