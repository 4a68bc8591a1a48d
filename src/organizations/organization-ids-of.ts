import type { EntityManager } from 'typeorm';

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
