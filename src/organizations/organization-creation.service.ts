import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { allPermissions } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { AppError } from '../common/errors/app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { permissionsOfMembership } from './memberships.service.js';

/**
 * Decides who may create organizations. The creator becomes Owner of an organization without limits, so accounts that are
 * restricted everywhere must not create one.
 */
@Injectable()
export class OrganizationCreationService {
  constructor(
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'organizationCreation'>,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Whether the user may create organizations.
   *
   * @param manager of the caller's transaction, if any
   */
  async isAllowed({ id, kind }: Principal, manager = this.dataSource.manager): Promise<boolean> {
    if (kind !== 'user' || this.config.organizationCreation === 'nobody') return false;
    if (this.config.organizationCreation === 'everyone') return true;
    const [found] = await manager.query<{ exists: boolean }[]>(
      `select exists (
         select from memberships membership
          where membership.user_id = $1 and ${permissionsOfMembership} @> $2::text[]
       )`,
      [id, allPermissions],
    );
    return found?.exists === true;
  }

  /** @throws AppError 403 for a user who may not create organizations */
  async assertAllowed(principal: Principal, manager = this.dataSource.manager): Promise<void> {
    if (await this.isAllowed(principal, manager)) return;
    const reason =
      this.config.organizationCreation === 'nobody'
        ? 'Creating organizations is turned off.'
        : 'Only accounts that hold every permission in one of their organizations may create organizations.';
    throw new AppError('organization-creation-denied', reason);
  }
}
