import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Permission } from '../access/permissions.js';
import { AppError } from '../common/errors/app-error.js';
import { Membership } from './membership.entity.js';
import { permissionsOfMembership } from './membership-queries.js';

@Injectable()
export class MembershipsService {
  constructor(@InjectRepository(Membership) private readonly memberships: Repository<Membership>) {}

  /** What the user may do in the organization now; undefined for who is not a member. */
  async findPermissions(userId: string, organizationId: string): Promise<Permission[] | undefined> {
    const [found] = await this.memberships.query<{ permissions: Permission[] }[]>(
      `select ${permissionsOfMembership} as permissions from memberships membership
        where user_id = $1 and organization_id = $2`,
      [userId, organizationId],
    );
    return found?.permissions;
  }

  /** The organization that the user joined first; undefined for a member of none. */
  async findFirstOrganizationId(userId: string): Promise<string | undefined> {
    const membership = await this.memberships.findOne({ where: { userId }, order: { createdAt: 'ASC', id: 'ASC' } });
    return membership?.organizationId;
  }

  /**
   * The membership with user, organization and role.
   *
   * @throws AppError 404 for who is not a member
   */
  async get(userId: string, organizationId: string): Promise<Membership> {
    const membership = await this.memberships.findOne({
      where: { userId, organizationId },
      relations: { user: true, organization: true, role: true },
    });
    if (membership === null) throw new AppError('not-found', 'You are not a member of this organization.');
    return membership;
  }
}
