import type { PermissionDetails, Role } from '../../api/schema.js';

type PermissionName = PermissionDetails['name'];

/** Permissions under one heading. */
export interface PermissionGroup {
  name: PermissionDetails['group'];
  permissions: PermissionDetails[];
}

/** Groups permissions by heading, in their order. */
export function groupPermissions(permissions: readonly PermissionDetails[]): PermissionGroup[] {
  const groups = new Map<PermissionDetails['group'], PermissionDetails[]>();
  for (const permission of permissions) {
    groups.set(permission.group, [...(groups.get(permission.group) ?? []), permission]);
  }
  return [...groups].map(([name, members]) => ({ name, permissions: members }));
}

/** Adds permissions to the selection or removes them, and sorts the result like `all`. */
export function updateSelection(
  all: readonly PermissionDetails[],
  selected: readonly PermissionName[],
  { names, isSelected }: { names: readonly PermissionName[]; isSelected: boolean },
): PermissionName[] {
  return all.map(({ name }) => name).filter((name) => (names.includes(name) ? isSelected : selected.includes(name)));
}

/** Explains why a user with the permissions `held` can't change a permission of a role. Undefined if they can. */
export function explainLock(
  name: PermissionName,
  { held, granted }: { held: readonly PermissionName[]; granted: readonly PermissionName[] },
): string | undefined {
  if (held.includes(name)) return undefined;
  return granted.includes(name)
    ? "You don't have this permission, so you can't remove it."
    : "You don't have this permission, so you can't grant it.";
}

/** Where the permissions of a group are used, and what it takes to see that. Other groups have no page of their own. */
const pagesOfGroups: Partial<Record<PermissionGroup['name'], { page: string; needed: readonly PermissionName[] }>> = {
  'API keys': { page: 'the API keys page', needed: ['get-api-keys'] },
  Members: { page: 'the Members page', needed: ['get-members'] },
  'Service accounts': {
    page: 'service accounts on the Members page',
    needed: ['get-members', 'get-service-accounts'],
  },
  Roles: { page: 'the Roles page', needed: ['get-roles'] },
};

/**
 * Explains that holders of a role with some permissions of a group don't see the page where they are used. Undefined if
 * they do. Such a role may be right for a service account.
 */
export function explainHiddenPage(
  group: PermissionGroup['name'],
  { all, selected }: { all: readonly PermissionDetails[]; selected: readonly PermissionName[] },
): string | undefined {
  const { page, needed = [] } = pagesOfGroups[group] ?? {};
  const missing = all.filter(({ name }) => needed.includes(name) && !selected.includes(name));
  const isUsed = all.some(({ name, group: its }) => its === group && selected.includes(name));
  if (!isUsed || missing.length === 0) return undefined;
  const labels = missing.map(({ description }) => `“${description}”`).join(' and ');
  return `Without ${labels}, people with this role don't see ${page}.`;
}

/** Lists the removed permissions, such as "List roles, Change roles". Undefined if none are removed. */
export function describeRemoved(
  all: readonly PermissionDetails[],
  { before, after }: { before: readonly PermissionName[]; after: readonly PermissionName[] },
): string | undefined {
  const removed = all.filter(({ name }) => before.includes(name) && !after.includes(name));
  return removed.length === 0 ? undefined : removed.map(({ description }) => description).join(', ');
}

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
