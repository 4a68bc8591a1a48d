import fc from 'fast-check';
import { allPermissions, type Permission } from '../../src/access/permissions.js';

/** An attempt by a member. Members and roles are numbers, modulo their count. */
export type Attempt = { actor: number } & (
  | { kind: 'create-role'; name: string; permissions: Permission[] }
  | { kind: 'update-role'; role: number; permissions: Permission[] }
  | { kind: 'rename-role'; role: number; name: string }
  | { kind: 'delete-role'; role: number }
  | { kind: 'update-member' | 'invite'; member: number; role: number }
  | { kind: 'delete-member'; member: number }
  | { kind: 'create-service-account'; role: number }
  | { kind: 'update-service-account'; account: number; role: number }
  | { kind: 'rotate-service-account'; account: number }
  | { kind: 'create-organization' }
);

/** The permission that each kind of attempt requires. `create-organization` requires all, in any organization. */
export const needs = {
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
} as const satisfies Record<Exclude<Attempt['kind'], 'create-organization'>, Permission>;

/** Few names, so that they collide with each other and with the provider's. The first is the default role. */
export const names = ['Default', 'Engineers', 'Auditors', 'Elsewhere'];
export const [defaultRole = ''] = names;

const number = fc.nat({ max: 100 });
export const someName = fc.constantFrom(...names);
const permissions = fc.subarray(allPermissions);
// Includes permissions to change access, so that most attempts pass the first check.
const powers = fc.subarray([...new Set(Object.values(needs))]).map((some): Permission[] => [...some, 'get-usage']);
export const somePermissions = fc.oneof(permissions, powers);
export const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc.record({ actor: number, kind: fc.constant('create-role'), name: someName, permissions: somePermissions }),
  fc.record({ actor: number, kind: fc.constant('update-role'), role: number, permissions: somePermissions }),
  {
    weight: 3,
    arbitrary: fc.record({ actor: number, kind: fc.constant('rename-role'), role: number, name: someName }),
  },
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
  fc.record({ actor: number, kind: fc.constant('create-organization') }),
);
