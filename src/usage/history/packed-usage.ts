import { NIL } from 'uuid';

/** In place of an API key's id: the sum of all keys of the organization. */
export const allKeys = `'${NIL}'::uuid`;

/** Usage is kept by hour for this long, then by UTC day. */
export const hourlyDays = 35;

/**
 * SQL for the start of the row of a whole UTC day. At 10:00, the date is the same in all time zones from UTC−10 to
 * UTC+13, so reports by day in these time zones count it for the right day.
 */
export const dayStart = (time: string) => `date_trunc('day', ${time}, 'UTC') + interval '10 hours'`;

/**
 * SQL that joins a packed row with its parts: one with its sums, and one per latency bucket with its `timed` requests.
 *
 * @param row alias of a row of `usage_history` or `usage_months`
 */
export const joinParts = (row: string) => `
  cross join lateral (
    select null::integer, 0::bigint, ${row}.requests, coalesce(${row}.failures, 0), coalesce(${row}.limited, 0),
      ${row}.input_tokens, coalesce(${row}.pages, 0)
    union all
    select ${row}.latencies[i][1], ${row}.latencies[i][2], 0, 0, 0, 0, 0
    from generate_subscripts(${row}.latencies, 1) as i
  ) as part (latency_bucket, timed, requests, failures, limited, input_tokens, pages)`;

/**
 * SQL that adds facts to a table of packed rows.
 *
 * @param facts relation with `series_id`, `latency_bucket`, and the columns of parts
 * @param options.start SQL for the start of the row of a fact
 * @param options.sign `-` subtracts
 */
export const addTo = (
  table: 'usage_history' | 'usage_months',
  facts: string,
  { start, sign = '' }: { start: string; sign?: '-' | '' },
) => `
  insert into ${table} (series_id, start, requests, input_tokens, failures, limited, pages, latencies)
  select series_id, start, sum(requests), sum(input_tokens),
    nullif(sum(failures), 0), nullif(sum(limited), 0), nullif(sum(pages), 0),
    coalesce(
      array_agg(array[latency_bucket, greatest(least(timed, 2147483647), -2147483647)::integer] order by latency_bucket)
        filter (where timed <> 0),
      '{}'
    )
  from (
    select series_id, ${start} as start, latency_bucket, ${sign}sum(timed) as timed,
      ${sign}sum(requests) as requests, ${sign}sum(failures) as failures, ${sign}sum(limited) as limited,
      ${sign}sum(input_tokens) as input_tokens, ${sign}sum(pages) as pages
    from ${facts} group by 1, 2, 3
  ) as summed
  group by series_id, start
  order by series_id, start
  on conflict (series_id, start) do update set
    requests = ${table}.requests + excluded.requests,
    input_tokens = ${table}.input_tokens + excluded.input_tokens,
    failures = nullif(coalesce(${table}.failures, 0) + coalesce(excluded.failures, 0), 0),
    limited = nullif(coalesce(${table}.limited, 0) + coalesce(excluded.limited, 0), 0),
    pages = nullif(coalesce(${table}.pages, 0) + coalesce(excluded.pages, 0), 0),
    latencies = add_latencies(${table}.latencies, excluded.latencies)`;
