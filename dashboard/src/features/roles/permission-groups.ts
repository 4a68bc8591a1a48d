import type { PermissionDetails } from '../../api/schema.js';

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
  Webhooks: { page: 'the Webhooks page', needed: ['get-webhooks'] },
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
