-- Joins a packed row with its parts: one per slot with its sums, and one per slot and latency bucket with its `timed`
-- requests. `unnest` in a select list, unlike in `from`, doesn't copy its rows.
--
-- In: the alias of the packed row as a placeholder.
-- Out: part, a relation with slot, latency_bucket (null for sums), requests, failures, limited, the columns of sums, and timed.
-- Locks: none.
-- Example: an hour with requests of 2 durations has 3 parts.

cross join lateral (
  select slot, null::integer, requests, coalesce(failures, 0), coalesce(limited, 0),
    coalesce({{columns.column}}, 0),
    0::bigint
  from (
    select unnest({{row}}.slots) as slot, unnest({{row}}.requests) as requests, unnest({{row}}.failures) as failures,
      unnest({{row}}.{{columns.column}}) as {{columns.column}},
      unnest({{row}}.limited) as limited
  ) as sums
  union all
  select (packed >> 48)::smallint, (packed >> 40 & 255)::integer - 128, 0, 0, 0,
    0, -- {{columns.column}}
    packed & 1099511627775
  from (select unnest({{row}}.latencies) as packed) as latencies
) as part (
  slot, latency_bucket, requests, failures, limited,
  {{columns.column}},
  timed
)
