import type { EntityManager } from 'typeorm';

/**
 * SQL for the permissions of a `memberships` row with the alias `membership`; null if an outer join found no row.
 * Additional roles from the identity provider count as long as the provider's first role is still the member's role.
 * Once an administrator assigns another role, only that one counts.
 */
export const permissionsOfMembership = `
  case when membership.id is not null then array(
    select distinct unnest(role.permissions)
      from roles role
      left join provisioned_memberships provisioned
        on provisioned.user_id = membership.user_id
       and provisioned.organization_id = membership.organization_id
       and provisioned.role_ids[1] = membership.role_id
     where role.organization_id = membership.organization_id
       and (role.id = membership.role_id or role.id = any(provisioned.role_ids))
  ) end`;

/**
 * The organizations whose audit logs record an event about the account: those it belongs to, in a fixed order. Without
 * any, the result is `[null]`, for one event that only the operator sees.
 */
export async function organizationIdsOf(manager: EntityManager, userId: string): Promise<(string | null)[]> {
  const rows = await manager.query<{ id: string }[]>(
    'select organization_id as id from memberships where user_id = $1 order by organization_id',
    [userId],
  );
  return rows.length === 0 ? [null] : rows.map(({ id }) => id);
}
