import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { unavailable } from '../common/errors/app-error.js';
import { isQueryTimeout } from '../common/errors/database-unavailable.js';
import { defaultCurrency, ServiceConfig } from '../config/service-config.js';
import type { Grouping, UsageFilterDto, UsageReportQueryDto } from './dto/usage-query.dto.js';
import type { UsageGroupDto, UsageReportDto } from './dto/usage-report.dto.js';
import { findComparedGroups, findGroups, type GroupPage } from './find-groups.js';
import { type FirstUse, readFirstUse } from './first-use.js';
import { findCreators } from './key-creators.js';
import { readUsage } from './read-usage.js';
import { checkTagPrefix, toComparedPeriod } from './report-request.js';
import { checkPointCount, firstKeptDay, firstKeptHour, toUsagePeriod, type UsagePeriod } from './usage-period.js';
import type { UsageSelection } from './usage-selection.js';
import { emptySums, toOtherSums, toUsageSums, type UsageSums } from './usage-sums.js';
import { findUsedKeys } from './used-keys.js';

/** What a report contains. It may be compared with another period. */
type ReportQuery = UsageFilterDto & Partial<UsageReportQueryDto>;

const tooSlow =
  'Reading this report takes too long. Choose a shorter period, fewer keys or another grouping, or try again shortly.';

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
   * @throws AppError 400 if a period is empty, the report would have too many points, or a parameter requires another; 503 if
   * the database can't read it in time
   */
  async report(principal: Principal, query: ReportQuery): Promise<UsageReportDto> {
    try {
      return await this.read(principal, query);
    } catch (error) {
      throw isQueryTimeout(error) ? unavailable('database-unavailable', tooSlow, 5, error) : error;
    }
  }

  private async read(principal: Principal, query: ReportQuery): Promise<UsageReportDto> {
    const { organizationId } = principal;
    const { interval, timeZone, groupBy } = query;
    const now = new Date();
    checkTagPrefix(query);
    const [period, compared] = [toUsagePeriod(query, now), toComparedPeriod(query, now)];
    const selection = { ...query, organizationId, period };
    const page = await this.findPage(selection, compared, query);
    checkPointCount(period.starts.length, Math.max(1, page.groups.length + Math.min(1, page.otherCount)));
    const read = {
      rows: await readUsage(this.dataSource, selection, page),
      previousRows: compared && (await readUsage(this.dataSource, { ...selection, period: compared }, page)),
      starts: period.starts,
    };
    const sums = toUsageSums(read, page.groups);
    if (groupBy === 'none' && sums.length === 0) sums.push(emptySums(read));
    const others = page.otherCount > 0 ? toOtherSums(read, page.otherCount) : undefined;
    const keptFrom = firstKeptDay(now, this.retentionDays);
    const firstUse =
      compared && (await this.readFirstUse({ ...selection, period: compared }, sums, keptFrom, timeZone));
    return {
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      ...(compared && {
        comparedFrom: compared.from.toISOString(),
        comparedTo: compared.to.toISOString(),
        ...(groupBy === 'none' && describeFirstUse(firstUse?.get(''))),
      }),
      hourlyFrom: firstKeptHour(now).toISOString(),
      keptFrom: keptFrom.toISOString(),
      interval,
      timeZone,
      groupBy,
      currency: this.currency,
      groups: await this.nameGroups(
        principal,
        groupBy,
        sums.map((sum) => ({ ...sum, ...describeFirstUse(firstUse?.get(sum.group)) })),
      ),
      ...(others && { others }),
    };
  }

  /** Of the groups with usage in the period to compare with: the others are new. */
  private readFirstUse(
    selection: UsageSelection,
    sums: readonly UsageSums[],
    keptFrom: Date,
    timeZone: string,
  ): Promise<Map<string, FirstUse>> {
    const isUsed = ({ previousTotals }: UsageSums) =>
      previousTotals !== undefined && previousTotals.requests + previousTotals.limited > 0;
    const groups = sums.filter(isUsed).map(({ group }) => group);
    return readFirstUse(this.dataSource, selection, { groups, keptFrom, timeZone });
  }

  private async findPage(
    selection: UsageSelection,
    compared: UsagePeriod | undefined,
    query: ReportQuery,
  ): Promise<GroupPage> {
    if (selection.groupBy === 'none') return wholeOrganization;
    if (compared === undefined) return findGroups(this.dataSource, selection, query);
    const ordersByChange = query.orderMode === 'change';
    return findComparedGroups(this.dataSource, selection, compared, { ...query, ordersByChange });
  }

  private async nameGroups(principal: Principal, groupBy: Grouping, sums: UsageSums[]): Promise<UsageGroupDto[]> {
    switch (groupBy) {
      case 'none':
        return sums.map(withoutGroup);
      case 'model':
        return sums.map(({ group: model, ...sum }) => ({ ...(model !== '' && { model }), ...sum }));
      case 'tag':
        return sums.map(({ group: tag, ...sum }) => ({ ...(tag !== '' && { tag }), ...sum }));
      case 'creator': {
        const creatorOf = await findCreators(
          this.dataSource,
          principal,
          sums.flatMap(({ group }) => (group === '' ? [] : group)),
        );
        return sums.map(({ group, ...sum }) => ({ ...(group !== '' && { creator: creatorOf(group) }), ...sum }));
      }
      case 'apiKey': {
        const ids = sums.map(({ group }) => group);
        const keyOf = await findUsedKeys(this.dataSource, principal.organizationId, ids);
        return sums.map(({ group, ...sum }) => ({ apiKey: keyOf(group), ...sum }));
      }
    }
  }
}

function describeFirstUse({ usage, cost }: FirstUse = {}) {
  return {
    ...(usage && { comparedUsageFrom: usage.toISOString() }),
    ...(cost && { comparedCostFrom: cost.toISOString() }),
  };
}

/** The report itself has the first use of everything. */
function withoutGroup({ totals, points, previousTotals }: UsageSums): UsageGroupDto {
  return { totals, points, ...(previousTotals && { previousTotals }) };
}
