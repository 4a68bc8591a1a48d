import { nameLength } from '@rules/text-rules.js';
import type { CreateRole, UpdateRole } from '../../../api/schema.js';

/** Returns only the changed fields, to keep concurrent changes to the others, or undefined if nothing changed. */
export function roleChanges(before: CreateRole, after: CreateRole): UpdateRole | undefined {
  const isRenamed = after.name.trim() !== before.name;
  const isRegranted =
    after.permissions.length !== before.permissions.length ||
    after.permissions.some((permission) => !before.permissions.includes(permission));
  if (!isRenamed && !isRegranted) return undefined;
  return { ...(isRenamed && { name: after.name }), ...(isRegranted && { permissions: after.permissions }) };
}

/** A new role with the permissions of another one, as far as the user holds them: no one can grant others. */
export function copyRole({ name, permissions }: CreateRole, held: CreateRole['permissions']): CreateRole {
  const copied = Array.from(`Copy of ${name}`).slice(0, nameLength.max).join('').trim();
  return { name: copied, permissions: permissions.filter((permission) => held.includes(permission)) };
}
