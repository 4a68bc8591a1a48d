import type { DataSource } from 'typeorm';
import type { Grouping, UsageQueryDto } from './dto/usage-query.dto.js';
import { largestPointCount, type UsagePeriod } from './usage-period.js';

/** The sums of one group, in one interval or in the whole period. Whole numbers, written as PostgreSQL does. */
export interface UsageRow {
  /** Id of the key or of the model; empty where nothing is grouped. */
  group: string;
  /** When the interval begins; null for the whole period. */
  start: Date | null;
  requests: string;
  failures: string;
  inputTokens: string;
  pages: string;
  microseconds: string;
  /** The bucket that the 95th of a hundred durations is in. */
  p95Bucket: number;
  /** How many groups there are, also when not all of their rows are returned. */
  groupCount: number;
}

/** Who asks for what. */
export interface UsageSelection extends Pick<UsageQueryDto, 'interval' | 'groupBy' | 'apiKeyId' | 'model'> {
  organizationId: string;
  period: UsagePeriod;
}

const groupColumns = {
  apiKey: 'api_key_id::text',
  model: 'model',
  none: `''`,
} as const satisfies Record<Grouping, string>;

/** A row for each of the most points and groups that an answer may have. */
const largestRowCount = 2 * largestPointCount;

/**
 * The usage of one organization, by group and by interval as well as by group alone. Intervals and groups without
 * requests have no row. Percentiles come from counting up the buckets until 95 % of the requests are in.
 */
export function readUsage(dataSource: DataSource, selection: UsageSelection): Promise<UsageRow[]> {
  const { organizationId, period, interval, groupBy, apiKeyId = null, model = null } = selection;
  const start = interval === 'day' ? `date_trunc('day', hour, 'UTC')` : 'hour';
  const byInterval = interval === 'none' ? '' : '("group", start, latency_bucket), ';
  return dataSource.query<UsageRow[]>(
    `with selected as (
      select ${groupColumns[groupBy]} as "group", ${start} as start, usage.*
      from usage
      where organization_id = $1 and hour >= $2 and hour < $3
        and ($4::uuid is null or api_key_id = $4) and ($5::text is null or model = $5)
    ), buckets as (
      select "group", ${interval === 'none' ? 'null::timestamptz as start' : 'start'}, latency_bucket,
        sum(requests) as requests, sum(failures) as failures, sum(input_tokens) as input_tokens,
        sum(pages) as pages, sum(microseconds) as microseconds
      from selected
      group by grouping sets (${byInterval}("group", latency_bucket))
    ), counted as (
      select *,
        sum(requests) over (partition by "group", start order by latency_bucket) as up_to_here,
        sum(requests) over (partition by "group", start) as in_all
      from buckets
    )
    select "group", start, sum(requests) as requests, sum(failures) as failures,
      sum(input_tokens) as "inputTokens", sum(pages) as pages, sum(microseconds) as microseconds,
      min(latency_bucket) filter (where up_to_here * 100 >= in_all * 95) as "p95Bucket",
      (count(*) filter (where start is null) over ())::int as "groupCount"
    from counted
    group by "group", start
    limit ${largestRowCount}`,
    [organizationId, period.from, period.to, apiKeyId, model],
  );
}
