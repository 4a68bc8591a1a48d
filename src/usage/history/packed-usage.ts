import { NIL } from 'uuid';

/** In place of an API key's id: the sum of all keys of the organization. */
export const allKeys = `'${NIL}'::uuid`;

/** Usage is kept by hour for this long, and by UTC day until it is deleted. */
export const hourlyDays = 35;

/**
 * The hour at which the usage of a UTC day counts. At 10:00, the date is the same in all time zones from UTC−10 to UTC+13,
 * so reports by day in these time zones count it for the right day.
 */
export const dayTimeHours = 10;

/** Length of a slot of packed rows. Each length has a table, with a row per series and UTC day, month or year. */
export const slotLengths = ['hour', 'day', 'month'] as const;
export type SlotLength = (typeof slotLengths)[number];

/** The packed rows of a slot length. */
interface PackedTable {
  name: string;
  /** Period of a row. */
  period: 'day' | 'month' | 'year';
  /** SQL for the slot of a time. */
  slotOf: (time: string) => string;
  /** SQL for the time at which the usage of a slot counts. */
  timeOf: (start: string, slot: string) => string;
}

const utc = (time: string) => `(${time} at time zone 'UTC')`;

export const packedTables: Record<SlotLength, PackedTable> = {
  hour: {
    name: 'usage_by_hour',
    period: 'day',
    slotOf: (time) => `extract(hour from ${utc(time)})`,
    timeOf: (start, slot) => `${start} + ${slot} * interval '1 hour'`,
  },
  day: {
    name: 'usage_by_day',
    period: 'month',
    slotOf: (time) => `extract(day from ${utc(time)}) - 1`,
    timeOf: (start, slot) => `${start} + ${slot} * interval '24 hours' + interval '${dayTimeHours} hours'`,
  },
  month: {
    name: 'usage_by_month',
    period: 'year',
    slotOf: (time) => `extract(month from ${utc(time)}) - 1`,
    timeOf: (start, slot) => utc(`(${utc(start)} + ${slot} * interval '1 month')`),
  },
};

const countBits = 40;
const bucketBits = 8;
/** Added to latency buckets, because that of the shortest durations is negative. */
const bucketOffset = 128;

/** SQL that packs a slot, a latency bucket and its number of requests into a bigint. */
const packLatency = `((slot::bigint << ${bucketBits}) + latency_bucket + ${bucketOffset} << ${countBits}) + timed::bigint`;

/**
 * SQL that joins a packed row with its parts: one per slot with its sums, and one per slot and latency bucket with its
 * `timed` requests. `unnest` in a select list, unlike in `from`, doesn't copy its rows.
 *
 * @param row alias of a packed row
 */
export const joinParts = (row: string) => `
  cross join lateral (
    select slot, null::integer, 0::bigint, requests, coalesce(failures, 0), coalesce(limited, 0),
      coalesce(estimated, 0), coalesce(input_tokens, 0), coalesce(pages, 0)
    from (
      select unnest(${row}.slots) as slot, unnest(${row}.requests) as requests, unnest(${row}.failures) as failures,
        unnest(${row}.limited) as limited, unnest(${row}.estimated) as estimated, unnest(${row}.input_tokens) as input_tokens, unnest(${row}.pages) as pages
    ) as sums
    union all
    select (packed >> ${countBits + bucketBits})::smallint,
      (packed >> ${countBits} & ${2 ** bucketBits - 1})::integer - ${bucketOffset}, packed & ${2 ** countBits - 1},
      0, 0, 0, 0, 0, 0
    from (select unnest(${row}.latencies) as packed) as latencies
  ) as part (slot, latency_bucket, timed, requests, failures, limited, estimated, input_tokens, pages)`;

/**
 * SQL that adds facts to packed rows. Only the replica that runs the retention task may change them.
 *
 * @param facts relation with `series_id`, `time`, and the columns of parts except for `slot`
 * @param sign `-` subtracts; a slot without usage is removed
 */
export function addTo(length: SlotLength, facts: string, sign: '-' | '' = ''): string {
  const { name, period, slotOf } = packedTables[length];
  const start = `date_trunc('${period}', time, 'UTC')`;
  const array = (value: string, condition: string) => `array_agg(${value} order by slot) filter (where ${condition})`;
  const isUsed = 'is_sum and (requests <> 0 or limited <> 0)';
  const orNull = (column: string) => `case when bool_or(is_sum and ${column} <> 0) then ${array(column, isUsed)} end`;
  return `
  insert into ${name} (
    series_id, start, slots, requests, input_tokens, failures, limited, estimated, pages, latencies
  )
  select series_id, start, coalesce(${array('slot', isUsed)}, '{}'), coalesce(${array('requests', isUsed)}, '{}'),
    ${orNull('input_tokens')}, ${orNull('failures')}, ${orNull('limited')}, ${orNull('estimated')}, ${orNull('pages')},
    coalesce(
      array_agg(${packLatency} order by slot, latency_bucket) filter (where latency_bucket is not null and timed <> 0),
      '{}'
    )
  from (
    select series_id, start, slot, latency_bucket, grouping(latency_bucket) = 1 as is_sum, sum(timed) as timed,
      sum(requests)::bigint as requests, sum(failures)::bigint as failures, sum(limited)::bigint as limited,
      sum(estimated)::bigint as estimated, sum(input_tokens)::bigint as input_tokens, sum(pages)::bigint as pages
    from (
      select series_id, ${start} as start, (${slotOf('time')})::smallint as slot, latency_bucket, ${sign}timed as timed,
        ${sign}requests as requests, ${sign}failures as failures, ${sign}limited as limited,
        ${sign}estimated as estimated, ${sign}input_tokens as input_tokens, ${sign}pages as pages
      from ${facts}
      union all
      select changed.series_id, changed.start, part.*
      from (select distinct series_id, ${start} as start from ${facts}) as changed
      cross join lateral (
        select * from ${name} where series_id = changed.series_id and start = changed.start offset 0
      ) as packed
      ${joinParts('packed')}
    ) as parts
    group by grouping sets ((series_id, start, slot), (series_id, start, slot, latency_bucket))
  ) as sums
  group by series_id, start
  order by start, series_id
  on conflict (series_id, start) do update set
    slots = excluded.slots, requests = excluded.requests, input_tokens = excluded.input_tokens,
    failures = excluded.failures, limited = excluded.limited, estimated = excluded.estimated, pages = excluded.pages, latencies = excluded.latencies`;
}
