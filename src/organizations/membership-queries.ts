import type { EntityManager } from 'typeorm';

/**
 * SQL for what a row of `memberships`, called `membership` in the query, allows; null where an outer join finds none.
 * Beside the member's role count the further roles that the identity provider names, as long as the first of them is
 * still the member's role: when an administrator has given another, that one alone counts.
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
 * The organizations whose audit logs an event about the account belongs in, in a fixed order: those it is a member of.
 * An account without an organization has one event that only the operator sees (`null`).
 */
export async function organizationIdsOf(manager: EntityManager, userId: string): Promise<(string | null)[]> {
  const rows = await manager.query<{ id: string }[]>(
    'select organization_id as id from memberships where user_id = $1 order by organization_id',
    [userId],
  );
  return rows.length === 0 ? [null] : rows.map(({ id }) => id);
}
