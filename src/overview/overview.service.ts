import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { ServedModelsService } from '../ai-gateway/models/served-models.service.js';
import { AuditEventsService } from '../audit/audit-events.service.js';
import { organizationDeleted } from '../common/errors/app-error.js';
import { defaultCurrency, ServiceConfig } from '../config/service-config.js';
import { readLimitStates } from '../limits/limit-queries.js';
import { Organization } from '../organizations/organization.entity.js';
import { firstKeptDay } from '../usage/usage-period.js';
import { attentionKinds } from './dto/attention.dto.js';
import { maxChanges, type OverviewDto } from './dto/overview.dto.js';
import { findFailingUpstreams } from './failing-upstreams.js';
import { readFirstSteps } from './first-steps.js';
import { KeyAttentionReader } from './key-attention.js';
import { readMembersToReview, readWebhooksToReview } from './read-attention.js';
import { readPreviousMonth } from './previous-month.js';
import { recentPeriods } from './recent-periods.js';
import { readRecentUsage } from './recent-usage.js';

type Settings = Pick<ServiceConfig, 'currency' | 'models' | 'auditRetentionDays' | 'usageRetentionDays'>;

/** How long an organization has a checklist. */
const checklistMilliseconds = 30 * 24 * 3_600_000;

/** Sums up the state of an organization, with one statement per part. */
@Injectable()
export class OverviewService {
  private readonly keyAttention = new KeyAttentionReader();

  constructor(
    private readonly dataSource: DataSource,
    private readonly auditEvents: AuditEventsService,
    private readonly servedModels: ServedModelsService,
    @Inject(ServiceConfig) private readonly config: Settings,
  ) {}

  /**
   * Returns the parts that the principal's permissions allow. They're read at the same time.
   *
   * @throws AppError 401 if the organization was deleted
   */
  async get(principal: Principal): Promise<OverviewDto> {
    const { organizationId, permissions } = principal;
    const { manager } = this.dataSource;
    const now = new Date();
    const organization = await manager.findOneBy(Organization, { id: organizationId });
    if (organization === null) throw organizationDeleted();
    const { timeZone, createdAt } = organization;
    const isNew = now.getTime() - createdAt.getTime() < checklistMilliseconds;
    const ifAllowed = async <Part>(permission: Permission, read: () => Promise<Part>): Promise<Part | undefined> =>
      permissions.includes(permission) ? read() : undefined;
    const [limits, usage, attention, changes, firstSteps] = await Promise.all([
      organization.limits === null ? [] : readLimitStates(manager, organizationId),
      ifAllowed('get-usage', () => this.readUsage(organizationId, timeZone, now)),
      this.findAttention(principal, ifAllowed),
      ifAllowed('get-audit-events', () => this.auditEvents.latestChanges(principal, maxChanges)),
      isNew ? readFirstSteps(manager, organizationId, permissions, this.config.models) : undefined,
    ]);
    return {
      at: now.toISOString(),
      timeZone,
      currency: this.config.currency ?? defaultCurrency,
      ...usage,
      limits,
      ...attention,
      ...changes,
      ...(firstSteps && { firstSteps }),
    };
  }

  private async readUsage(organizationId: string, timeZone: string, now: Date) {
    const periods = recentPeriods(timeZone, now);
    const keptFrom = firstKeptDay(now, this.config.usageRetentionDays);
    const [recent, previousMonth] = await Promise.all([
      readRecentUsage(this.dataSource, organizationId, periods, now),
      readPreviousMonth(this.dataSource, periods.compared, { organizationId, timeZone, now, keptFrom }),
    ]);
    return { ...recent, ...(previousMonth && { previousMonth }) };
  }

  private async findAttention(
    principal: Principal,
    ifAllowed: <Part>(permission: Permission, read: () => Promise<Part>) => Promise<Part | undefined>,
  ): Promise<Pick<OverviewDto, 'attention' | 'keysReadAt'>> {
    const { organizationId } = principal;
    const { manager } = this.dataSource;
    const [keys, webhooks, members] = await Promise.all([
      ifAllowed('get-api-keys', () => this.keyAttention.read(manager, organizationId)),
      ifAllowed('get-webhooks', () => readWebhooksToReview(manager, organizationId)),
      ifAllowed('get-members', () => readMembersToReview(manager, organizationId, this.config.auditRetentionDays)),
    ]);
    const upstreams = findFailingUpstreams(this.servedModels.list(principal).models);
    const found = [...(keys?.attention ?? []), upstreams, webhooks, members].filter((one) => one !== undefined);
    found.sort((one, other) => attentionKinds.indexOf(one.kind) - attentionKinds.indexOf(other.kind));
    return { attention: found, ...(keys && { keysReadAt: keys.readAt.toISOString() }) };
  }
}
