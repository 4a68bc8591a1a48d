import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Permission } from '../access/permissions.js';
import { AppError } from '../common/errors/app-error.js';
import { permissionsOfMembership } from './membership-queries.js';
import { Membership } from './membership.entity.js';

@Injectable()
export class MembershipsService {
  constructor(private readonly dataSource: DataSource) {}

  /** The user's current permissions in the organization; undefined if the user isn't a member. */
  async findPermissions(userId: string, organizationId: string): Promise<Permission[] | undefined> {
    const [found] = await this.dataSource.query<{ permissions: Permission[] }[]>(
      `select ${permissionsOfMembership} as permissions from memberships membership
        where user_id = $1 and organization_id = $2`,
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
