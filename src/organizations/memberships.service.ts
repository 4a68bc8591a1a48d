import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { isElsewhere } from '../cells/is-elsewhere.js';
import { AppError } from '../common/errors/app-error.js';
import { Membership } from './membership.entity.js';
import { ServiceAccount } from '../service-accounts/service-account.entity.js';

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

@Injectable()
export class MembershipsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The current permissions of a user or service account in its organization; undefined if the user isn't a member or
   * the account was deleted.
   *
   * @param manager of the caller's transaction
   */
  async findPermissionsOf(
    { kind, id, organizationId }: Principal,
    manager: EntityManager,
  ): Promise<readonly Permission[] | undefined> {
    if (kind !== 'service-account') return this.findPermissions(id, organizationId, manager);
    const account = await manager.findOne(ServiceAccount, { where: { id, organizationId }, relations: { role: true } });
    return account?.role.permissions;
  }

  /**
   * The user's current permissions in the organization; undefined if the user isn't a member or the organization has moved.
   *
   * @param manager of the caller's transaction, if any
   */
  async findPermissions(
    userId: string,
    organizationId: string,
    manager = this.dataSource.manager,
  ): Promise<Permission[] | undefined> {
    const [found] = await manager.query<{ permissions: Permission[] }[]>(
      `select ${permissionsOfMembership} as permissions from memberships membership
        where user_id = $1 and organization_id = $2 and not ${isElsewhere('$2')}`,
      [userId, organizationId],
    );
    return found?.permissions;
  }

  /** The organization that the user joined first; undefined if there is none. */
  async findFirstOrganizationId(userId: string): Promise<string | undefined> {
    const membership = await this.dataSource.manager.findOne(Membership, {
      where: { userId },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return membership?.organizationId;
  }

  /**
   * Reads a membership with its user, organization and role.
   *
   * @throws AppError 404 if the user isn't a member
   */
  async get(userId: string, organizationId: string): Promise<Membership> {
    const membership = await this.dataSource.manager.findOne(Membership, {
      where: { userId, organizationId },
      relations: { user: true, organization: true, role: true },
    });
    if (membership === null) throw new AppError('not-found', 'You are not a member of this organization.');
    return membership;
  }
}

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
