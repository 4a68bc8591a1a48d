import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { defaultCurrency, ServiceConfig } from '../config/service-config.js';
import type { Grouping, UsageFilterDto } from './dto/usage-query.dto.js';
import type { UsageGroupDto, UsageReportDto } from './dto/usage-report.dto.js';
import { findGroups, type GroupPage, readUsage } from './read-usage.js';
import { checkPointCount, firstKeptDay, firstKeptHour, toUsagePeriod } from './usage-period.js';
import { emptySums, toOtherSums, toUsageSums, type UsageSums } from './usage-sums.js';
import { findCreators } from './key-creators.js';
import { findUsedKeys } from './used-keys.js';

/** The only group without grouping. */
const wholeOrganization: GroupPage = { groups: [''], otherCount: 0 };

@Injectable()
export class UsageService {
  private readonly currency: string;
  private readonly retentionDays: number;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(ServiceConfig)
    { currency = defaultCurrency, usageRetentionDays }: Pick<ServiceConfig, 'currency' | 'usageRetentionDays'>,
  ) {
    this.currency = currency;
    this.retentionDays = usageRetentionDays;
  }

  /**
   * Reports the usage of the principal's organization.
   *
   * @throws AppError 400 if the period is empty or the report would have too many points
   */
  async report(principal: Principal, query: UsageFilterDto): Promise<UsageReportDto> {
    const { organizationId } = principal;
    const { interval, timeZone, groupBy } = query;
    const now = new Date();
    const period = toUsagePeriod(query, now);
    const selection = { ...query, organizationId, period };
    const page = groupBy === 'none' ? wholeOrganization : await findGroups(this.dataSource, selection, query);
    checkPointCount(period.starts.length, Math.max(1, page.groups.length + Math.min(1, page.otherCount)));
    const rows = await readUsage(this.dataSource, selection, page);
    const { starts } = period;
    const sums = rows.length === 0 && groupBy === 'none' ? [emptySums(starts)] : toUsageSums(rows, page.groups, starts);
    const others = page.otherCount > 0 ? toOtherSums(rows, starts, page.otherCount) : undefined;
    return {
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      hourlyFrom: firstKeptHour(now).toISOString(),
      keptFrom: firstKeptDay(now, this.retentionDays).toISOString(),
      interval,
      timeZone,
      groupBy,
      currency: this.currency,
      groups: await this.nameGroups(principal, groupBy, sums),
      ...(others && { others }),
    };
  }

  private async nameGroups(principal: Principal, groupBy: Grouping, sums: UsageSums[]): Promise<UsageGroupDto[]> {
    switch (groupBy) {
      case 'none':
        return sums.map(({ totals, points }) => ({ totals, points }));
      case 'model':
        return sums.map(({ group: model, totals, points }) => ({ ...(model !== '' && { model }), totals, points }));
      case 'tag':
        return sums.map(({ group: tag, totals, points }) => ({ ...(tag !== '' && { tag }), totals, points }));
      case 'creator': {
        const creatorOf = await findCreators(
          this.dataSource,
          principal,
          sums.flatMap(({ group }) => (group === '' ? [] : group)),
        );
        return sums.map(({ group, totals, points }) => ({
          ...(group !== '' && { creator: creatorOf(group) }),
          totals,
          points,
        }));
      }
      case 'apiKey': {
        const ids = sums.map(({ group }) => group);
        const keyOf = await findUsedKeys(this.dataSource, principal.organizationId, ids);
        return sums.map(({ group, totals, points }) => ({ apiKey: keyOf(group), totals, points }));
      }
    }
  }
}
