import type { DataSource } from 'typeorm';
import type { Grouping, UsageQueryDto } from './dto/usage-query.dto.js';
import { maxPoints, type UsagePeriod } from './usage-period.js';

/** Sums of one group, in one interval or in the whole period. PostgreSQL's bigints as strings. */
export interface UsageRow {
  /** Id of the API key or model; empty without grouping and for an unknown model; null for the sum of all groups beyond the limit. */
  group: string | null;
  /** Start of the interval; null for the whole period. */
  start: Date | null;
  requests: string;
  failures: string;
  limited: string;
  inputTokens: string;
  pages: string;
  microseconds: string;
  /** Bucket of the 95th percentile of durations; null without requests. */
  p95Bucket: number | null;
  /** Number of groups, even if not all rows are returned. Those beyond the limit count as one. */
  groupCount: number;
  /** Number of groups beyond the limit. */
  otherGroupCount: number;
}

/** An organization, a period and filters. */
interface UsageSelection extends Pick<UsageQueryDto, 'groupBy' | 'limit' | 'apiKeyId' | 'model'> {
  organizationId: string;
  period: UsagePeriod;
}

const groupColumns = {
  apiKey: 'api_key_id::text',
  model: 'model',
  none: `''::text`,
} as const satisfies Record<Grouping, string>;

/** Enough for the maximum number of points and groups. */
const maxRows = 2 * maxPoints;

/**
 * Reads the usage of an organization, by group and interval and by group alone. Intervals and groups without requests
 * have no row. Groups beyond the limit are summed here, because percentiles are computed from buckets.
 */
export function readUsage(dataSource: DataSource, selection: UsageSelection): Promise<UsageRow[]> {
  const { organizationId, period, groupBy, limit = null, apiKeyId = null, model = null } = selection;
  const hasIntervals = period.starts.length > 0;
  const key = groupColumns[groupBy];
  const matching = `from usage
      where organization_id = $1 and hour >= $2 and hour < $3
        and ($4::uuid is null or api_key_id = $4) and ($5::text is null or model = $5)`;
  return dataSource.query<UsageRow[]>(
    `with ranked as (
      select ${key} as key, row_number() over (order by sum(requests) desc, ${key}) as place
      ${matching}
      group by ${key}
    ), selected as (
      select usage.*, ($7::timestamptz[])[width_bucket(hour, $7::timestamptz[])] as start,
        case when $6::int is null or ${key} in (select key from ranked where place <= $6) then ${key} end as "group"
      ${matching}
    ), buckets as (
      select "group", ${hasIntervals ? 'start' : 'null::timestamptz as start'}, latency_bucket,
        sum(requests) as requests, sum(failures) as failures, sum(limited) as limited,
        sum(input_tokens) as input_tokens, sum(pages) as pages, sum(microseconds) as microseconds
      from selected
      group by grouping sets (${hasIntervals ? '("group", start, latency_bucket), ' : ''}("group", latency_bucket))
    ), counted as (
      select *,
        sum(requests) over (partition by "group", start order by latency_bucket) as up_to_here,
        sum(requests) over (partition by "group", start) as in_all
      from buckets
    )
    select "group", start, sum(requests) as requests, sum(failures) as failures, sum(limited) as limited,
      sum(input_tokens) as "inputTokens", sum(pages) as pages, sum(microseconds) as microseconds,
      min(latency_bucket) filter (where in_all > 0 and up_to_here * 100 >= in_all * 95) as "p95Bucket",
      (count(*) filter (where start is null) over ())::int as "groupCount",
      (select count(*)::int from ranked where place > $6) as "otherGroupCount"
    from counted
    group by "group", start
    limit ${maxRows}`,
    [organizationId, period.from, period.to, apiKeyId, model, limit, period.starts],
  );
}
