import type { DataSource } from 'typeorm';
import type { Grouping, UsageQueryDto } from './dto/usage-query.dto.js';
import { maxPoints, type UsagePeriod } from './usage-period.js';

/** Sums of one group, in one interval or in the whole period. PostgreSQL's bigints as strings. */
export interface UsageRow {
  /** Id of the API key or model; empty without grouping and for an unknown model; null for the groups on other pages. */
  group: string | null;
  /** Start of the interval; null for the whole period. */
  start: Date | null;
  requests: string;
  failures: string;
  limited: string;
  inputTokens: string;
  pages: string;
  /** Null without prices. */
  cost: number | null;
  /** Buckets of percentiles of durations; null without requests. */
  medianBucket: number | null;
  p95Bucket: number | null;
  p99Bucket: number | null;
  /** Number of groups, even if not all rows are returned. Those on other pages count as one. */
  groupCount: number;
  /** Number of groups on other pages. */
  otherGroupCount: number;
}

/** An organization, a period and filters. */
interface UsageSelection extends Pick<UsageQueryDto, 'groupBy' | 'limit' | 'page' | 'apiKeyId' | 'model'> {
  organizationId: string;
  period: UsagePeriod;
  /** Of models with a price. */
  prices: readonly ModelUnitPrice[];
}

/** What a model costs per unit. */
export interface ModelUnitPrice {
  model: string;
  perToken: number;
  perPage: number;
}

const groupColumns = {
  apiKey: 'api_key_id::text',
  model: 'model',
  none: `''::text`,
} as const satisfies Record<Grouping, string>;

/** The bucket that contains a percentile. */
const bucketOf = (percent: number) =>
  `min(latency_bucket) filter (where in_all > 0 and up_to_here * 100 >= in_all * ${percent})`;

/** Enough for the maximum number of points and groups. */
const maxRows = 2 * maxPoints;

/**
 * Reads the usage of an organization, by group and interval and by group alone. Intervals and groups without requests
 * have no row. Groups that aren't on the page are summed here, because percentiles are computed from buckets.
 */
export function readUsage(dataSource: DataSource, selection: UsageSelection): Promise<UsageRow[]> {
  const { organizationId, period, groupBy, limit = null, page = 1, apiKeyId = null, model = null, prices } = selection;
  const hasIntervals = period.starts.length > 0;
  const key = groupColumns[groupBy];
  const isOnPage = 'place > $8::int - $6 and place <= $8';
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
        case when $6::int is null or ${key} in (select key from ranked where ${isOnPage}) then ${key} end as "group"
      ${matching}
    ), buckets as (
      select "group", ${hasIntervals ? 'start' : 'null::timestamptz as start'}, latency_bucket,
        sum(requests) as requests, sum(failures) as failures, sum(limited) as limited,
        sum(input_tokens) as input_tokens, sum(pages) as pages,
        sum(coalesce(input_tokens * per_token + pages * per_page, 0)) as cost
      from selected
      left join unnest($9::text[], $10::float8[], $11::float8[]) as price (model, per_token, per_page) using (model)
      group by grouping sets (${hasIntervals ? '("group", start, latency_bucket), ' : ''}("group", latency_bucket))
    ), counted as (
      select *,
        sum(requests) over (partition by "group", start order by latency_bucket) as up_to_here,
        sum(requests) over (partition by "group", start) as in_all
      from buckets
    )
    select "group", start, sum(requests) as requests, sum(failures) as failures, sum(limited) as limited,
      sum(input_tokens) as "inputTokens", sum(pages) as pages,
      case when cardinality($9::text[]) > 0 then sum(cost) end as cost,
      ${bucketOf(50)} as "medianBucket", ${bucketOf(95)} as "p95Bucket", ${bucketOf(99)} as "p99Bucket",
      (count(*) filter (where start is null) over ())::int as "groupCount",
      (select count(*)::int from ranked where not (${isOnPage})) as "otherGroupCount"
    from counted
    group by "group", start
    limit ${maxRows}`,
    [
      organizationId,
      period.from,
      period.to,
      apiKeyId,
      model,
      limit,
      period.starts,
      limit === null ? null : page * limit,
      prices.map((price) => price.model),
      prices.map(({ perToken }) => perToken),
      prices.map(({ perPage }) => perPage),
    ],
  );
}
