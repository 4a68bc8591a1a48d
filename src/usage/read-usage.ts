import type { DataSource } from 'typeorm';
import type { Grouping, UsageQueryDto } from './dto/usage-query.dto.js';
import { allKeys, joinParts } from './history/packed-usage.js';
import { maxPoints, type UsagePeriod, wholeMonths } from './usage-period.js';

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
}

/** An organization, a period and filters. */
interface UsageSelection extends Pick<UsageQueryDto, 'groupBy' | 'apiKeyId' | 'model'> {
  organizationId: string;
  period: UsagePeriod;
}

/** The groups of a page. */
export interface GroupPage {
  /** Those with the most requests first. */
  groups: string[];
  /** Number of groups on other pages. */
  otherCount: number;
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

/** SQL for the current usage that matches the first five parameters. */
const recentUsage = `from usage
  where organization_id = $1 and hour >= $2 and hour < $3
    and ($4::uuid is null or api_key_id = $4) and ($5::text is null or model = $5)`;

/**
 * SQL for the packed rows of the series `chosen` in the period. Months save reading their days. `offset 0` keeps the planner
 * from reading the whole table when there are many series.
 */
const packedUsage = (monthColumns: string) => `(
    select chosen.*, ${monthColumns} from chosen
    join unnest(array[$2::timestamptz, $7], array[$6::timestamptz, $3]) as piece (first, last) on first < last
    cross join lateral (
      select * from usage_history where series_id = chosen.id and start >= first and start < last offset 0
    ) as packed
    union all
    select chosen.*, ${monthColumns} from chosen
    join usage_months as packed on series_id = chosen.id and start >= $6 and start < $7
  ) as packed`;

/** Parameters 1 to 7. Without whole months, the period is divided at its end. */
function toParameters({ organizationId, period, apiKeyId, model }: UsageSelection, usesMonths: boolean): unknown[] {
  const { from, to } = period;
  const months = usesMonths ? wholeMonths(period, new Date()) : { from: to, to };
  return [organizationId, from, to, apiKeyId ?? null, model ?? null, months.from, months.to];
}

/**
 * Finds the groups of a page by their number of requests.
 *
 * @param paging all groups by default
 */
export async function findGroups(
  dataSource: DataSource,
  selection: UsageSelection,
  { limit, page = 1 }: Pick<UsageQueryDto, 'limit' | 'page'>,
): Promise<GroupPage> {
  const { groupBy } = selection;
  const key = groupColumns[groupBy];
  // The sums of all keys have no key.
  const owners = groupBy === 'apiKey' ? `$4::uuid is null and api_key_id <> ${allKeys} or api_key_id = $4` : ofAllKeys;
  const [found] = await dataSource.query<{ groups: string[]; count: number }[]>(
    `with chosen as (
      select id, ${key} as key from usage_series
      where organization_id = $1 and (${owners}) and ($5::text is null or model = $5)
    ), ranked as materialized (
      select key, row_number() over (order by sum(requests) desc, key) as place
      from (
        select ${key} as key, requests ${recentUsage}
        union all
        select key, requests from ${packedUsage('packed.requests')}
      ) as used
      group by key
    )
    select count(*)::integer as count,
      coalesce(array_agg(key order by place) filter (where place > $8::integer and ($9::integer is null or place <= $9)), '{}') as groups
    from ranked`,
    [
      ...toParameters(selection, true),
      limit === undefined ? 0 : (page - 1) * limit,
      limit === undefined ? null : page * limit,
    ],
  );
  const { groups, count } = found ?? { groups: [], count: 0 };
  return { groups, otherCount: count - groups.length };
}

const ofAllKeys = `api_key_id = coalesce($4, ${allKeys})`;

/**
 * SQL for the series to read with their group. The groups that aren't on the page are read as the sum of all keys less
 * those on the page, because there may be many.
 */
function chosenSeries(groupBy: Grouping): string {
  const isOnPage = 'api_key_id = any ($8::text[]::uuid[])';
  const select = (group: string, sign: 1 | -1, condition: string) =>
    `select id, model, ${group} as "group", ${sign} as sign from usage_series
     where organization_id = $1 and ($5::text is null or model = $5) and ${condition}`;
  if (groupBy !== 'apiKey') return select(groupOnPage(groupBy), 1, ofAllKeys);
  return `${select('api_key_id::text', 1, isOnPage)}
     union all ${select('null', 1, `$9 and ${ofAllKeys}`)}
     union all ${select('null', -1, `$9 and ${isOnPage}`)}`;
}

/** SQL for the group of a row; null unless it's on the page. */
function groupOnPage(groupBy: Grouping): string {
  const key = groupColumns[groupBy];
  return `case when ${key} = any ($8::text[]) then ${key} end`;
}

/** The bucket that contains a percentile. */
const bucketOf = (percent: number) =>
  `min(latency_bucket) filter (where in_all > 0 and up_to_here * 100 >= in_all * ${percent})`;

/** Enough for the maximum number of points and groups. */
const maxRows = 2 * maxPoints;

/**
 * Reads the usage of an organization, by group and interval and by group alone. Intervals and groups without requests
 * have no row. Groups that aren't on the page are summed here, because percentiles are computed from buckets.
 *
 * @param prices of models with a price
 */
export function readUsage(
  dataSource: DataSource,
  selection: UsageSelection,
  { groups, otherCount }: GroupPage,
  prices: readonly ModelUnitPrice[],
): Promise<UsageRow[]> {
  const { groupBy, period } = selection;
  const hasIntervals = period.starts.length > 0;
  return dataSource.query<UsageRow[]>(
    `with chosen as (
      ${chosenSeries(groupBy)}
    ), used as (
      select ${groupOnPage(groupBy)} as "group", model, hour as start, latency_bucket, requests as timed,
        requests, failures, limited, input_tokens, pages
      ${recentUsage}
      union all
      select "group", model, start, part.latency_bucket, sign * part.timed, sign * part.requests,
        sign * part.failures, sign * part.limited, sign * part.input_tokens, sign * part.pages
      from ${packedUsage('packed.*')} ${joinParts('packed')}
    ), buckets as (
      select "group", ${hasIntervals ? 'interval_start' : 'null::timestamptz'} as start, latency_bucket,
        sum(timed) as timed, sum(requests) as requests, sum(failures) as failures, sum(limited) as limited,
        sum(input_tokens) as input_tokens, sum(pages) as pages,
        sum(coalesce(input_tokens * per_token + pages * per_page, 0)) as cost
      from (
        select *, ($10::timestamptz[])[width_bucket(start, $10::timestamptz[])] as interval_start from used
        where "group" is not null or $9
      ) as used
      left join unnest($11::text[], $12::float8[], $13::float8[]) as price (model, per_token, per_page) using (model)
      group by grouping sets (${hasIntervals ? '("group", interval_start, latency_bucket), ' : ''}("group", latency_bucket))
    ), counted as (
      select *,
        sum(timed) over (partition by "group", start order by latency_bucket) as up_to_here,
        sum(timed) over (partition by "group", start) as in_all
      from buckets
    )
    select "group", start, sum(requests) as requests, sum(failures) as failures, sum(limited) as limited,
      sum(input_tokens) as "inputTokens", sum(pages) as pages,
      case when cardinality($11::text[]) > 0 then sum(cost) end as cost,
      ${bucketOf(50)} as "medianBucket", ${bucketOf(95)} as "p95Bucket", ${bucketOf(99)} as "p99Bucket"
    from counted
    group by "group", start
    limit ${maxRows}`,
    [
      ...toParameters(selection, !hasIntervals),
      groups,
      otherCount > 0,
      period.starts,
      prices.map((price) => price.model),
      prices.map(({ perToken }) => perToken),
      prices.map(({ perPage }) => perPage),
    ],
  );
}
