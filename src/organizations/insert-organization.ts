import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { allPermissions, type Permission, readingPermissions } from '../access/permissions.js';
import { Membership } from './membership.entity.js';
import { Organization } from './organization.entity.js';
import { Role } from './role.entity.js';

/** The initial roles of a new organization; its creator gets the first. */
const initialRoles: { name: string; permissions: Permission[] }[] = [
  { name: 'Owner', permissions: allPermissions },
  { name: 'Key manager', permissions: ['create-api-keys', 'get-api-keys', 'update-api-keys', 'delete-api-keys'] },
  { name: 'Viewer', permissions: ['get-api-keys'] },
  // Reads everything, changes nothing.
  { name: 'Auditor', permissions: readingPermissions },
];

/**
 * Creates an organization with its initial roles, and makes the user its Owner.
 *
 * @param manager of a transaction
 * @returns the organization's id
 */
export async function insertOrganization(manager: EntityManager, name: string, ownerId: string): Promise<string> {
  const organizationId = uuidv7();
  const roles = initialRoles.map((role) => ({ ...role, id: uuidv7(), organizationId }));
  await manager.insert(Organization, { id: organizationId, name });
  await manager.insert(Role, roles);
  await manager.insert(Membership, { id: uuidv7(), userId: ownerId, organizationId, roleId: roles[0]?.id });
  return organizationId;
}
