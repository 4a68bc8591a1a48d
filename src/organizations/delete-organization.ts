import type { EntityManager } from 'typeorm';
import { Organization } from './organization.entity.js';

/** What else gives access to an organization, or sends what happens in it. Rows come before those that they refer to. */
export const accessTables = [
  'webhooks',
  'service_accounts',
  'invitations',
  'provisioned_memberships',
  'memberships',
  'former_members',
  'roles',
];

/** Number of deleted rows by table. */
type DeletedRows = Record<string, number>;

/**
 * Marks an organization as deleted, and deletes everything that gives access to it. The retention task deletes the rest,
 * which may be large. The organization's row stays: its audit events refer to it, and deleting it would make requests of
 * other organizations wait, because the usage of all is written in shared statements and refers to such rows.
 *
 * @param manager of a transaction that has locked the organization with `takeTurn`
 */
export async function deleteOrganization(manager: EntityManager, id: string): Promise<DeletedRows> {
  await manager.softDelete(Organization, { id });
  const deleted: DeletedRows = { api_keys: await deleteApiKeys(manager, id) };
  for (const table of accessTables) {
    deleted[table] = await deleteRows(manager, `delete from ${table} where organization_id = $1`, id);
  }
  return deleted;
}

/** In batches, because a query must not take longer than 5 seconds. */
async function deleteApiKeys(manager: EntityManager, organizationId: string): Promise<number> {
  const statement = `
    delete from api_keys where id = any (array(select id from api_keys where organization_id = $1 limit 10000))`;
  let total = 0;
  let count: number;
  do {
    count = await deleteRows(manager, statement, organizationId);
    total += count;
  } while (count > 0);
  return total;
}

async function deleteRows(manager: EntityManager, statement: string, organizationId: string): Promise<number> {
  const [, count] = await manager.query<[rows: unknown[], count: number]>(statement, [organizationId]);
  return count;
}
