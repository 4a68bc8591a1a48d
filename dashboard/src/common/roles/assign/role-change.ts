import type { Role } from '../../../api/schema.js';
import { lostPermissions, missingPermissions } from '../role-permissions.js';

type PermissionName = Role['permissions'][number];

/** A member or service account, whose role can be changed. */
export interface RoleHolder {
  id: string;
  name: string;
  /** Identifies the holder in a confirmation, such as by an email; by default, the name. */
  identity?: string;
  role: Pick<Role, 'id' | 'name'>;
  /** Whether it's the user. */
  isOwn: boolean;
  /** What it takes to change the role. */
  permission: 'update-members' | 'update-service-accounts';
  /** Permissions of an administrator, if no other member has them. The new role must have them, too. */
  needed?: readonly PermissionName[] | undefined;
  /** Changes the role and refetches what depends on it. */
  assign: (roleId: string) => Promise<void>;
}

/** The subject of messages about the role of a member or service account; see `notifyDone`. */
export const roleSubject = ({ id }: Pick<RoleHolder, 'id'>) => `role of ${id}`;

/** What changing a role does. */
export interface RoleChange {
  /** The new role. */
  role: Role;
  /** The current role; undefined if it isn't loaded. */
  previous: Role | undefined;
  gained: PermissionName[];
  lost: PermissionName[];
  /** Whether the user may assign the current role again afterwards. */
  canUndo: boolean;
}

interface RoleChangeContext extends Pick<RoleHolder, 'isOwn' | 'permission'> {
  previous: Role | undefined;
  /** The user's permissions. */
  held: PermissionName[];
}

/** Describes a role change. Without the current role, all permissions of the new one count as gained. */
export function describeRoleChange(role: Role, { previous, isOwn, permission, held }: RoleChangeContext): RoleChange {
  const before = previous?.permissions ?? [];
  const heldAfter = isOwn ? role.permissions : held;
  return {
    role,
    previous,
    gained: missingPermissions(role, before),
    lost: lostPermissions(role, before),
    canUndo:
      previous !== undefined && heldAfter.includes(permission) && missingPermissions(previous, heldAfter).length === 0,
  };
}

/** Whether to ask first. Other changes are easily undone. */
export function needsConfirmation({ gained, canUndo }: RoleChange): boolean {
  return gained.length > 0 || !canUndo;
}
