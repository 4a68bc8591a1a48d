import { isUUID } from 'class-validator';
import type { EntityManager } from 'typeorm';
import { notFound } from '../common/errors/app-error.js';
import { Role } from './role.entity.js';

/**
 * A role of the organization.
 *
 * @throws AppError 404 for an unknown, malformed or foreign id
 */
export async function findRole(manager: EntityManager, organizationId: string, id: string): Promise<Role> {
  const role = isUUID(id) ? await manager.findOneBy(Role, { id, organizationId }) : null;
  if (role === null) throw notFound('role');
  return role;
}
