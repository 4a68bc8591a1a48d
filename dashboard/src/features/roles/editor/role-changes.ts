import type { CreateRole, UpdateRole } from '../../../api/schema.js';

/** What differs, so that what others have changed meanwhile stays; undefined when nothing does. */
export function roleChanges(before: CreateRole, after: CreateRole): UpdateRole | undefined {
  const isRenamed = after.name.trim() !== before.name;
  const isRegranted =
    after.permissions.length !== before.permissions.length ||
    after.permissions.some((permission) => !before.permissions.includes(permission));
  if (!isRenamed && !isRegranted) return undefined;
  return { ...(isRenamed && { name: after.name }), ...(isRegranted && { permissions: after.permissions }) };
}
