import type { DataSource } from 'typeorm';
import { dividePeriod, slotsOf } from './divide-period.js';
import type { Grouping, UsageFilterDto } from './dto/usage-query.dto.js';
import { allKeys, joinParts, packedTables, type SlotLength, slotLengths } from './history/packed-usage.js';
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
  estimatedRequests: string;
  inputTokens: string;
  pages: string;
  /** Null if no model of the group has a price. */
  cost: number | null;
  /** Requests to models without a price. */
  unpriced: string;
  /** Buckets of percentiles of durations; null without requests. */
  medianBucket: number | null;
  p95Bucket: number | null;
  p99Bucket: number | null;
}

/** An organization, a period and filters. */
interface UsageSelection extends Pick<UsageFilterDto, 'groupBy' | 'apiKeyId' | 'model'> {
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

/** SQL for the series `chosen` and the slots of their packed rows that are part of the period. */
const chosenSlots = `
  unnest($6::text[], $7::timestamptz[], $8::smallint[], $9::smallint[]) as range (length, start, first_slot, end_slot)
  cross join chosen`;

const isInRange = 'slot >= first_slot and slot < end_slot';

/** SQL that joins the results for all slot lengths. */
const forEachLength = (query: (length: SlotLength) => string) => `(${slotLengths.map(query).join(' union all ')})`;

/** SQL for the requests of each packed row in the period; null if it has no usage there. */
const packedRequests = (length: SlotLength) => `
  select key, (
    select sum(slot_requests)::bigint from (select unnest(slots) as slot, unnest(requests) as slot_requests) as slots
    where ${isInRange}
  ) as requests
  from ${chosenSlots}
  join ${packedTables[length].name} as packed on packed.series_id = chosen.id and packed.start = range.start
  where length = '${length}'`;

/** SQL for the parts of packed rows in the period, with their time. `offset 0`: series are few, so rows are looked up. */
const packedParts = (length: SlotLength) => `
  select chosen.*, ${packedTables[length].timeOf('packed.start', 'part.slot')} as time, part.*
  from ${chosenSlots}
  cross join lateral (
    select * from ${packedTables[length].name} where series_id = chosen.id and start = range.start offset 0
  ) as packed
  ${joinParts('packed')}
  where length = '${length}' and ${isInRange}`;

/** Parameters 1 to 9. */
function toParameters({ organizationId, period, apiKeyId, model }: UsageSelection, longest: SlotLength): unknown[] {
  const ranges = dividePeriod(period, longest, new Date()).flatMap(slotsOf);
  return [
    organizationId,
    period.from,
    period.to,
    apiKeyId ?? null,
    model ?? null,
    ranges.map(({ length }) => length),
    ranges.map(({ start }) => start),
    ranges.map(({ first }) => first),
    ranges.map(({ end }) => end),
  ];
}

/**
 * Finds the groups of a page by their number of requests.
 *
 * @param paging all groups by default
 */
export async function findGroups(
  dataSource: DataSource,
  selection: UsageSelection,
  { limit, page = 1 }: Pick<UsageFilterDto, 'limit' | 'page'>,
): Promise<GroupPage> {
  const { groupBy } = selection;
  // Comparing text would take longer.
  const key = groupBy === 'apiKey' ? 'api_key_id' : groupColumns[groupBy];
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
        select key, requests from ${forEachLength(packedRequests)} as packed
      ) as used
      group by key having sum(requests) is not null
    )
    select count(*)::integer as count,
      coalesce(array_agg(key::text order by place) filter (where place > $10::integer and ($11::integer is null or place <= $11)), '{}') as groups
    from ranked`,
    [
      ...toParameters(selection, 'month'),
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
  const isOnPage = 'api_key_id = any ($10::text[]::uuid[])';
  const select = (group: string, sign: 1 | -1, condition: string) =>
    `select id, model, ${group} as "group", ${sign} as sign from usage_series
     where organization_id = $1 and ($5::text is null or model = $5) and ${condition}`;
  if (groupBy !== 'apiKey') return select(groupOnPage(groupBy), 1, ofAllKeys);
  return `${select('api_key_id::text', 1, isOnPage)}
     union all ${select('null', 1, `$11 and ${ofAllKeys}`)}
     union all ${select('null', -1, `$11 and ${isOnPage}`)}`;
}

/** SQL for the group of a row; null unless it's on the page. */
function groupOnPage(groupBy: Grouping): string {
  const key = groupColumns[groupBy];
  return `case when ${key} = any ($10::text[]) then ${key} end`;
}

/** The bucket that contains a percentile. */
const bucketOf = (percent: number) =>
  `min(latency_bucket) filter (where in_all > 0 and up_to_here * 100 >= in_all * ${percent})`;

/** The longest slots that add up to all intervals. */
function longestSlots({ starts }: UsagePeriod): SlotLength {
  if (starts.length === 0) return 'month';
  return starts.every(isStartOfUtcDay) ? 'day' : 'hour';
}

function isStartOfUtcDay(instant: Date): boolean {
  return instant.getTime() % 86_400_000 === 0;
}

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
        requests, failures, limited, estimated, input_tokens, pages
      ${recentUsage}
      union all
      select "group", model, time, latency_bucket, sign * timed, sign * requests, sign * failures, sign * limited,
        sign * estimated, sign * input_tokens, sign * pages
      from ${forEachLength(packedParts)} as packed
    ), buckets as (
      select "group", ${hasIntervals ? 'interval_start' : 'null::timestamptz'} as start, latency_bucket,
        sum(timed)::bigint as timed, sum(requests)::bigint as requests, sum(failures)::bigint as failures,
        sum(limited)::bigint as limited, sum(estimated)::bigint as estimated, sum(input_tokens)::bigint as input_tokens,
        sum(pages)::bigint as pages, sum(input_tokens * per_token + pages * per_page) as cost,
        coalesce(sum(requests) filter (where per_token is null), 0)::bigint as unpriced
      from (
        select *, ($12::timestamptz[])[width_bucket(start, $12::timestamptz[])] as interval_start from used
        where "group" is not null or $11
      ) as used
      left join unnest($13::text[], $14::float8[], $15::float8[]) as price (model, per_token, per_page) using (model)
      group by grouping sets (${hasIntervals ? '("group", interval_start, latency_bucket), ' : ''}("group", latency_bucket))
    ), counted as (
      select *,
        (sum(timed) over (partition by "group", start order by latency_bucket))::bigint as up_to_here,
        (sum(timed) over (partition by "group", start))::bigint as in_all
      from buckets
    )
    select "group", start, sum(requests) as requests, sum(failures) as failures, sum(limited) as limited,
      sum(estimated) as "estimatedRequests", sum(input_tokens) as "inputTokens", sum(pages) as pages, sum(cost) as cost,
      sum(unpriced) as unpriced,
      ${bucketOf(50)} as "medianBucket", ${bucketOf(95)} as "p95Bucket", ${bucketOf(99)} as "p99Bucket"
    from counted
    group by "group", start
    limit ${maxRows}`,
    [
      ...toParameters(selection, longestSlots(period)),
      groups,
      otherCount > 0,
      period.starts,
      prices.map((price) => price.model),
      prices.map(({ perToken }) => perToken),
      prices.map(({ perPage }) => perPage),
    ],
  );
}
