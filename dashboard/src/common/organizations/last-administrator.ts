import { useQuery } from '@tanstack/react-query';
import { administratorPermissions } from '@rules/administrator-permissions.js';
import type { Member } from '../../api/schema.js';
import { usePermission } from '../../session/me.js';
import { rolesQuery } from '../roles/roles.js';

/** Whether no other member can change roles and members. The service rejects removing the last one. */
export function useIsLastAdministrator({ role }: Pick<Member, 'role'>): boolean {
  const { data } = useQuery({ ...rolesQuery, enabled: usePermission('get-roles') });
  const roles = (data?.roles ?? []).filter(({ permissions }) =>
    administratorPermissions.every((permission) => permissions.includes(permission)),
  );
  const count = roles.reduce((sum, { memberCount }) => sum + memberCount, 0);
  return count === 1 && roles.some(({ id }) => id === role.id);
}

/** Why the last administrator can't be removed, or can't leave. */
export function explainLastAdministrator(name?: string): string {
  return `${name === undefined ? "You're" : `${name} is`} the only member who can manage roles and members. To ${name === undefined ? 'leave' : 'remove them'}, first give another member a role that can, such as Owner.`;
}
