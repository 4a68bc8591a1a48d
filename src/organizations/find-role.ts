import { isUUID } from 'class-validator';
import type { EntityManager } from 'typeorm';
import { AppError } from '../common/errors/app-error.js';
import { Role } from './role.entity.js';

/**
 * A role of the organization.
 *
 * @throws AppError 404 for an unknown, malformed or foreign id
 */
export async function findRole(manager: EntityManager, organizationId: string, id: string): Promise<Role> {
  const role = isUUID(id) ? await manager.findOneBy(Role, { id, organizationId }) : null;
  if (role === null) throw new AppError('not-found', 'There is no role with this id in your organization.');
  return role;
}
