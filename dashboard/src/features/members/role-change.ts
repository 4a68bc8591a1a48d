import type { Role } from '../../api/schema.js';
import { lostPermissions, missingPermissions } from '../roles/role-permissions.js';

type PermissionName = Role['permissions'][number];

/** What changing a member's role does. */
export interface RoleChange {
  /** The new role. */
  role: Role;
  /** The current role; undefined if it isn't loaded. */
  previous: Role | undefined;
  /** Whether the user changes their own role. */
  isOwn: boolean;
  gained: PermissionName[];
  lost: PermissionName[];
  /** Whether the user may assign the current role again afterwards. */
  canUndo: boolean;
}

interface RoleChangeContext {
  previous: Role | undefined;
  isOwn: boolean;
  /** The user's permissions. */
  held: PermissionName[];
}

/** Describes a role change. Without the current role, all permissions of the new one count as gained. */
export function describeRoleChange(role: Role, { previous, isOwn, held }: RoleChangeContext): RoleChange {
  const before = previous?.permissions ?? [];
  const heldAfter = isOwn ? role.permissions : held;
  return {
    role,
    previous,
    isOwn,
    gained: missingPermissions(role, before),
    lost: lostPermissions(role, before),
    canUndo:
      previous !== undefined &&
      heldAfter.includes('update-members') &&
      missingPermissions(previous, heldAfter).length === 0,
  };
}

/** Whether to ask first. Other changes are easily undone. */
export function needsConfirmation({ gained, canUndo }: RoleChange): boolean {
  return gained.length > 0 || !canUndo;
}
