import { allPermissions, type Permission } from '../../src/access/permissions.js';
import { type Attempt, defaultRole, needs } from './attempts.js';

export interface ModelRole {
  id: string;
  name: string;
  permissions: Permission[];
}

export interface ModelMember {
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
  /** Whether the member has created an organization, and is its Owner. */
  isOwnerElsewhere: boolean;
}

/** A service account and its role, by id. */
export interface ModelAccount {
  id: string;
  role: string;
}

/** A minimal model of the rules: roles are named permission sets, and members have one role or none. */
export interface Model {
  organizationId: string;
  roles: ModelRole[];
  members: ModelMember[];
  accounts: ModelAccount[];
  /** Roles of open invitations. */
  offered: string[];
}

export const pick = <Item>(items: Item[], index: number): Item => items[index % items.length] as Item;
const isWithin = (granted: readonly Permission[], held: readonly Permission[]) =>
  granted.every((one) => held.includes(one));
const difference = (one: Permission[], other: Permission[]) =>
  allPermissions.filter((permission) => one.includes(permission) !== other.includes(permission));
/** The provider's additional roles apply while its first one is the member's. */
const rolesOf = ({ role, provisioned }: ModelMember) =>
  role === undefined ? [] : role === provisioned[0] ? provisioned : [role];
export const held = ({ roles }: Model, member: ModelMember) =>
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
export function predict(before: Model, tried: Attempt): { status: number; after: Model } {
  const model = follow(before, tried.actor);
  const reject = (status: number) => ({ status, after: model });
  const actor = pick(model.members, tried.actor);
  if (actor.role === undefined) return reject(actor.claims === undefined ? 401 : 403);
  const own = held(model, actor);
  const after = structuredClone(model);
  if (tried.kind === 'create-organization') {
    if (!actor.isOwnerElsewhere && own.length < allPermissions.length) return reject(403);
    pick(after.members, tried.actor).isOwnerElsewhere = true;
    return { status: 201, after };
  }
  if (!own.includes(needs[tried.kind])) return reject(403);
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
