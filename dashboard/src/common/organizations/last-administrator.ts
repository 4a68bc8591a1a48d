import { useQuery } from '@tanstack/react-query';
import { administratorPermissions } from '@rules/administrator-permissions.js';
import { usePermission } from '../../session/me.js';
import { rolesQuery } from '../roles/roles.js';

/**
 * The role of the only member who can change roles and members, whom the service doesn't remove; undefined if there are several.
 * Tables call it once, because their many rows would each observe the roles.
 */
export function useLastAdministratorRoleId(): string | undefined {
  const { data } = useQuery({ ...rolesQuery, enabled: usePermission('get-roles') });
  const roles = (data?.roles ?? []).filter(({ permissions }) =>
    administratorPermissions.every((permission) => permissions.includes(permission)),
  );
  const count = roles.reduce((sum, { memberCount }) => sum + memberCount, 0);
  return count === 1 ? roles.find(({ memberCount }) => memberCount === 1)?.id : undefined;
}

/** Why the last administrator can't be removed, or can't leave. */
export function explainLastAdministrator(name?: string): string {
  return `${name === undefined ? "You're" : `${name} is`} the only member who can manage roles and members. To ${name === undefined ? 'leave' : 'remove them'}, first give another member a role that can, such as Owner.`;
}
