import { Injectable, Logger } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, Not } from 'typeorm';
import type { Actor, Principal } from '../access/principal.js';
import { AuditService, changedFields } from '../audit/audit.service.js';
import { AppError, organizationDeleted } from '../common/errors/app-error.js';
import { addLimitCounters, markOrganizationLimited, readLimitStates } from '../limits/limit-queries.js';
import { scheduleLimitChecks } from '../limits/notices/limit-checks.js';
import { showLimits, toStoredLimits } from '../limits/stored-limits.js';
import { AccessChangesService } from './access-changes.service.js';
import { deleteOrganization } from './delete-organization.js';
import type {
  CreateOrganizationDto,
  MyOrganizationDto,
  OrganizationDetailsDto,
  OrganizationDto,
  UpdateOrganizationDto,
} from './dto/organization.dto.js';
import { insertOrganization } from './insert-organization.js';
import { Membership } from './membership.entity.js';
import { OrganizationCreationService } from './organization-creation.service.js';
import { Organization } from './organization.entity.js';
import { checkTimeZone } from './time-zone.js';

/** Key of the advisory lock of deletions. Arbitrary, but must not change. */
const deletionLock = 6_210_447_931;

@Injectable()
export class OrganizationsService {
  private readonly logger = new Logger('Organizations');

  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly changes: AccessChangesService,
    private readonly creation: OrganizationCreationService,
  ) {}

  /** Lists the user's organizations, in the order of joining. */
  async listOf({ id }: Principal): Promise<MyOrganizationDto[]> {
    const memberships = await this.dataSource.manager.find(Membership, {
      where: { userId: id },
      relations: { organization: true, role: true },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return memberships.map(({ organization, role }) => ({
      ...toDto(organization),
      role: { id: role.id, name: role.name },
    }));
  }

  /** Returns the principal's current organization with the state of its limits. */
  async get({ organizationId: id }: Principal): Promise<OrganizationDetailsDto> {
    const { manager } = this.dataSource;
    const organization = await manager.findOneBy(Organization, { id });
    if (organization === null) throw organizationDeleted();
    return { ...toDto(organization), limits: await readLimitStates(manager, id) };
  }

  /**
   * Creates an organization with its initial roles. The actor becomes its Owner.
   *
   * @throws AppError 403 if the actor may not create organizations
   */
  create(actor: Actor, { name }: CreateOrganizationDto): Promise<OrganizationDto> {
    return this.dataSource.transaction(async (manager) => {
      await this.creation.assertAllowed(actor, manager);
      const id = await insertOrganization(manager, name, actor.id);
      // Recorded in the new organization's audit log.
      const owner = { ...actor, organizationId: id };
      const target = { kind: 'organization', id, name } as const;
      await this.audit.record(manager, owner, { action: 'organization.create', target });
      return toDto(await manager.findOneByOrFail(Organization, { id }));
    });
  }

  /**
   * Changes settings of the current organization.
   *
   * @throws AppError 400 for a time zone that the database doesn't know
   */
  update(actor: Actor, { limits, ...settings }: UpdateOrganizationDto): Promise<OrganizationDto> {
    const { organizationId: id } = actor;
    return this.dataSource.transaction(async (manager) => {
      const organization = await manager.findOne(Organization, {
        where: { id },
        lock: { mode: 'for_no_key_update' },
      });
      if (organization === null) throw organizationDeleted();
      const changes = changedFields<Settings>(organization, {
        ...settings,
        ...(limits && { limits: toStoredLimits(limits) }),
      });
      if (changes === undefined) return toDto(organization);
      const { before, after } = changes;
      if (after.timeZone !== undefined) await checkTimeZone(manager, after.timeZone);
      await manager.update(Organization, { id }, after);
      if (after.limits !== undefined) {
        const { limits } = organization;
        if ((limits === null) !== (after.limits === null)) await markOrganizationLimited(manager, id, limits === null);
        await addLimitCounters(manager, { id, organizationId: id }, limits, after.limits);
        await scheduleLimitChecks(manager, { id, organizationId: id }, after.limits);
      }
      const target = { kind: 'organization', id, name: organization.name } as const;
      await this.audit.record(manager, actor, {
        action: 'organization.update',
        target,
        before: showLimits(before),
        after: showLimits(after),
      });
      return toDto(await manager.findOneByOrFail(Organization, { id }));
    });
  }

  /**
   * Deletes the current organization. Once this returns, no replica accepts its keys, and its members and service
   * accounts have no access.
   *
   * @throws AppError 409 for the only organization
   */
  async delete(actor: Actor): Promise<void> {
    const { id: actorId, kind: actorKind, organizationId: id } = actor;
    const { name, deleted } = await this.dataSource.transaction(async (manager) => {
      // Two organizations could delete each other's last companion at the same time.
      await manager.query('select pg_advisory_xact_lock($1)', [deletionLock]);
      await this.changes.authorize(manager, actor, 'delete-organization');
      const { name } = await manager.findOneByOrFail(Organization, { id });
      if (!(await manager.existsBy(Organization, { id: Not(id) }))) {
        throw new AppError('conflict', 'This is the only organization. Create another one before you delete it.');
      }
      const target = { kind: 'organization', id, name } as const;
      await this.audit.record(manager, actor, { action: 'organization.delete', target });
      return { name, deleted: await deleteOrganization(manager, id) };
    });
    // Its audit log can no longer be read in the dashboard.
    this.logger.log('Organization deleted.', { organizationId: id, name, actorKind, actorId, deleted });
  }

  /**
   * Checks that the actor is a member of an organization, and records the switch to it.
   *
   * @throws AppError 404 for an unknown or malformed id, or if the actor isn't a member
   */
  enter(actor: Actor, organizationId: string): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const membership = isUUID(organizationId)
        ? await manager.findOne(Membership, {
            where: { userId: actor.id, organizationId },
            relations: { organization: true },
          })
        : null;
      if (membership === null) throw new AppError('not-found', 'You are not a member of an organization with this id.');
      const target = { kind: 'organization', id: organizationId, name: membership.organization.name } as const;
      await this.audit.record(manager, { ...actor, organizationId }, { action: 'organization.switch', target });
    });
  }
}

/** What an update can change. */
type Settings = Pick<Organization, 'name' | 'longestKeyLifetimeDays' | 'timeZone' | 'onLeak' | 'limits'>;

function toDto(organization: Organization): OrganizationDto {
  const { id, name, longestKeyLifetimeDays, timeZone, onLeak, createdAt, updatedAt } = organization;
  return {
    id,
    name,
    longestKeyLifetimeDays,
    timeZone,
    onLeak,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
