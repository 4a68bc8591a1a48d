import type { Permission } from '../../api/schema.js';

/** Permissions that are shown under one heading. */
export interface PermissionGroup {
  name: Permission['group'];
  permissions: Permission[];
}

/** The headings with their permissions, in the order of the list. */
export function groupPermissions(permissions: readonly Permission[]): PermissionGroup[] {
  const groups = new Map<Permission['group'], Permission[]>();
  for (const permission of permissions) {
    groups.set(permission.group, [...(groups.get(permission.group) ?? []), permission]);
  }
  return [...groups].map(([name, members]) => ({ name, permissions: members }));
}

/** The selection with these permissions added or taken out, in the order of the list. */
export function select(
  all: readonly Permission[],
  selected: readonly Permission['name'][],
  { names, isSelected }: { names: readonly Permission['name'][]; isSelected: boolean },
): Permission['name'][] {
  const isWanted = (name: Permission['name']) => (names.includes(name) ? isSelected : selected.includes(name));
  return all.map(({ name }) => name).filter(isWanted);
}

/** Why a permission of a role cannot be changed by somebody who holds `held`; undefined when it can. */
export function explainLock(
  name: Permission['name'],
  { held, granted }: { held: readonly Permission['name'][]; granted: readonly Permission['name'][] },
): string | undefined {
  if (held.includes(name)) return undefined;
  return granted.includes(name)
    ? 'You do not hold this permission, so you cannot take it away.'
    : 'You do not hold this permission, so you cannot grant it.';
}

/** What the role loses, in words, such as "List roles, Change roles"; undefined when it loses nothing. */
export function describeLoss(
  all: readonly Permission[],
  { before, after }: { before: readonly Permission['name'][]; after: readonly Permission['name'][] },
): string | undefined {
  const lost = all.filter(({ name }) => before.includes(name) && !after.includes(name));
  return lost.length === 0 ? undefined : lost.map(({ description }) => description).join(', ');
}

/** What the role allows in short, such as "4 of 15 permissions". */
export function countGrants(all: readonly Permission[], granted: readonly Permission['name'][]): string {
  if (granted.length === 0) return 'No permissions';
  if (granted.length === all.length) return 'All permissions';
  return `${granted.length} of ${all.length} permissions`;
}
