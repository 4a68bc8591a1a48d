import type { PermissionDetails, Role } from '../../api/schema.js';

type PermissionName = PermissionDetails['name'];

/** Counts granted permissions, such as "4 of 20 permissions". */
export function countGranted(all: readonly PermissionDetails[], granted: readonly PermissionName[]): string {
  if (granted.length === 0) return 'No permissions';
  if (granted.length === all.length) return 'All permissions';
  return `${granted.length} of ${all.length} permissions`;
}

/** Lists granted permissions, such as "Create API keys, List API keys". */
export function listGranted(all: readonly PermissionDetails[], granted: readonly PermissionName[]): string {
  if (granted.length === 0 || granted.length === all.length) return countGranted(all, granted);
  return all
    .filter(({ name }) => granted.includes(name))
    .map(({ description }) => description)
    .join(', ');
}

/** Permissions of the role that the user lacks. Users can only assign roles whose permissions they all have. */
export function missingPermissions({ permissions }: Pick<Role, 'permissions'>, held: PermissionName[]) {
  return permissions.filter((permission) => !held.includes(permission));
}

/** Permissions the user would lose by switching to the role. */
export function lostPermissions({ permissions }: Pick<Role, 'permissions'>, held: PermissionName[]) {
  return held.filter((permission) => !permissions.includes(permission));
}

/**
 * Explains why the user can't assign a role, such as "You don't have “See usage”, “Delete roles” and 3 more".
 * @param missing labels of the permissions that the user lacks
 */
export function explainMissing(missing: string[]): string {
  const named = missing.slice(0, 2).map((label) => `“${label}”`);
  const others = missing.length - named.length;
  return `You don't have ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/**
 * Explains why an administrator can't switch to a role. Undefined if they can.
 * @param needed permissions that no other member has
 */
export function explainNeeded(
  { permissions }: Pick<Role, 'permissions'>,
  needed: readonly PermissionName[],
): string | undefined {
  const hasAll = needed.every((permission) => permissions.includes(permission));
  return hasAll ? undefined : 'No other member can manage roles and members';
}
