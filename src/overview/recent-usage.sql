-- Sums the usage of an organization by interval, in a period whose hours are kept. Unlike read-usage.sql, it reads no
-- latencies and only what an overview shows.
--
-- In:
--   :organizationId  uuid         whose usage
--   :from            timestamptz  start of the period (inclusive)
--   :to              timestamptz  end of the period (exclusive)
--   :starts          timestamptz[]  start of each interval
-- Out: a row for each interval that has usage.
--   start            timestamptz  of the interval
--   requests, failures, and a column for some meters: numeric
--   pricedRequests   numeric      the requests that have a cost
--   cost             numeric      in billionths of the currency
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :from = '2026-11-27T00:00:00Z'
--   :to = '2026-11-28T00:00:00Z'
--   :starts = '{2026-11-27T00:00:00Z}'
--   returns 2026-11-27T00:00:00Z, 3, 0, …

select (:starts::timestamptz[])[width_bucket(time, :starts::timestamptz[])] as start,
  coalesce(sum({{columns.column}}), 0) as "{{columns.name}}",
  sum(requests) as requests, coalesce(sum(failures), 0) as failures
from (
  select
    sum({{columns.column}}) as {{columns.column}},
    hour as time, sum(requests) as requests, sum(failures) as failures
  from usage where organization_id = :organizationId and hour >= :from and hour < :to
  group by hour
  union all
  select
    part.{{columns.column}},
    packed.start + part.slot * interval '1 hour', part.requests, part.failures
  from usage_series as series
  join usage_by_hour as packed on series_id = series.id and packed.start > :from::timestamptz - interval '24 hours'
    and packed.start < :to
  cross join lateral (
    select unnest(slots) as slot, unnest(packed.failures) as failures,
      unnest(packed.{{columns.column}}) as {{columns.column}},
      unnest(packed.requests) as requests
  ) as part
  where organization_id = :organizationId and api_key_id = {{all_keys}}
) as used
where time >= :from and time < :to
group by 1
