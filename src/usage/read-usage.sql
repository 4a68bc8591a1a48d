-- Sums the usage of an organization by group and interval, and by group alone. Groups on other pages are summed here,
-- because percentiles are computed from buckets.
--
-- In:
--   :organizationId  uuid         whose usage
--   :from            timestamptz  start of the period (inclusive)
--   :to              timestamptz  end of the period (exclusive)
--   :apiKeyIds       uuid[]       null: all keys
--   :models          text[]       null: all models
--   :tags            text[]       null: keys with any tag, and without
--   :creators        uuid[]       null: keys by any creator
--   :tagPrefix       text         start of the tags that are groups; null: all tags
--   :sums            text         see selected-series.sql
--   :rangeLengths    text[]       length of the slots of packed rows in the period: `hour`, `day` or `month`
--   :rangeStarts     timestamptz[]  start of the packed row
--   :firstSlots      smallint[]   first slot
--   :endSlots        smallint[]   slot after the last
--   :groups          text[]       ids of the keys, models or creators, or tags on the page
--   :includesOthers  boolean      whether to sum the groups on other pages
--   :starts          timestamptz[]  start of each interval; empty without intervals
-- Out: a row for each group and interval that has usage, and for each group.
--   group            text         id of the key, model or creator, or tag; empty without grouping, tag or known creator; null for
--                                 the groups on other pages
--   start            timestamptz  of the interval; null for the whole period
--   requests, failures, limited, and a column per meter: numeric
--   pricedRequests   numeric      the requests that have a cost
--   cost             numeric      in billionths of the currency
--   medianBucket, p95Bucket, p99Bucket: smallint, of the durations; null without requests
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :from = '2026-11-27T00:00:00Z'
--   :to = '2026-11-28T00:00:00Z'
--   :apiKeyIds = null
--   :models = null
--   :tags = null
--   :creators = null
--   :tagPrefix = null
--   :sums = 'all'
--   :rangeLengths = '{hour}'
--   :rangeStarts = '{2026-11-27T00:00:00Z}'
--   :firstSlots = '{0}'
--   :endSlots = '{24}'
--   :groups = '{01990000-0000-7000-8000-000000000001}'
--   :includesOthers = false
--   :starts = '{2026-11-27T00:00:00Z}'
--   returns 0199…, 2026-11-27T00:00:00Z, 3, 0, 0, …

with {{include usage/selected-series.sql}}, chosen as (
  {{chosen_series}}
), used as (
  select {{group_on_page}} as "group", hour as start, requests, failures, limited,
    {{columns.column}},
    requests as timed, latency_bucket
  from usage {{join_owners}}
  where {{selected_usage}}
  union all
  {{packed_slots}}
), buckets as (
  select "group", {{interval}} as start, latency_bucket, sum(timed)::bigint as timed, sum(requests)::bigint as requests,
    sum(failures)::bigint as failures,
    sum({{columns.column}}) as {{columns.column}},
    sum(limited)::bigint as limited
  from (
    -- Hashed, while grouping sets would sort all rows.
    select "group", interval_start, latency_bucket, sum(timed) as timed, sum(requests) as requests,
      sum(failures) as failures,
      sum({{columns.column}}) as {{columns.column}},
      sum(limited) as limited
    from (
      select *, (:starts::timestamptz[])[width_bucket(start, :starts::timestamptz[])] as interval_start from used
      where "group" is not null or :includesOthers
    ) as placed
    group by "group", interval_start, latency_bucket
  ) as used
  group by grouping sets ({{grouping_sets}})
), counted as (
  select *,
    (sum(timed) over (partition by "group", start order by latency_bucket))::bigint as up_to_here,
    (sum(timed) over (partition by "group", start))::bigint as in_all
  from buckets
)
select "group", start, sum(requests) as requests, sum(failures) as failures, sum(limited) as limited,
  coalesce(sum({{columns.column}}), 0) as "{{columns.name}}",
  min(latency_bucket) filter (where in_all > 0 and up_to_here * 100 >= in_all * 50) as "medianBucket",
  min(latency_bucket) filter (where in_all > 0 and up_to_here * 100 >= in_all * 95) as "p95Bucket",
  min(latency_bucket) filter (where in_all > 0 and up_to_here * 100 >= in_all * 99) as "p99Bucket"
from counted
group by "group", start
limit {{max_rows}}
