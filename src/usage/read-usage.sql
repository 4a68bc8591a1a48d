-- Sums the usage of an organization by group and interval, and by group alone.
--
-- In: as for find-groups.sql, and:
--   :groups: ids of the keys or models on the page
--   :includes_others: whether to sum the groups on other pages
--   :starts: start of each interval; empty without intervals
--   :priced_models, and one array per priced meter such as :price_of_input_tokens: what models cost per unit
-- Out: a row per group and interval (null: the whole period) that has usage. The group is null for those on other pages,
--   which are summed here because percentiles are computed from buckets.
-- Locks: none
-- Example: two keys on a day by hour: up to 24 rows for each key, and one with its total
with chosen as (
  {{chosen_series}}
), used as (
  select {{group_on_page}} as "group", model, hour as start, requests, failures, limited,
    {{meters.column}},
    requests as timed, latency_bucket
  from usage
  where organization_id = :organization_id and hour >= :from and hour < :to
    and (:api_key_id::uuid is null or api_key_id = :api_key_id) and (:model::text is null or model = :model)
  union all
  {{packed_slots}}
), buckets as (
  select "group", {{interval}} as start, latency_bucket, sum(timed)::bigint as timed, sum(requests)::bigint as requests,
    sum(failures)::bigint as failures, sum(limited)::bigint as limited,
    coalesce(sum({{meters.column}}), 0)::bigint as {{meters.column}},
    coalesce(sum({{priced.column}} * price_of_{{priced.column}}), 0) +
    0 as cost,
    coalesce(sum(requests) filter (where price.model is null), 0)::bigint as unpriced
  from (
    select *, (:starts::timestamptz[])[width_bucket(start, :starts::timestamptz[])] as interval_start from used
    where "group" is not null or :includes_others
  ) as used
  left join unnest(
    :price_of_{{priced.column}}::float8[],
    :priced_models::text[]
  ) as price (
    price_of_{{priced.column}},
    model
  ) using (model)
  group by grouping sets ({{grouping_sets}})
), counted as (
  select *,
    (sum(timed) over (partition by "group", start order by latency_bucket))::bigint as up_to_here,
    (sum(timed) over (partition by "group", start))::bigint as in_all
  from buckets
)
select "group", start, sum(requests) as requests, sum(failures) as failures, sum(limited) as limited,
  sum({{meters.column}}) as "{{meters.name}}",
  sum(cost) as cost, sum(unpriced) as unpriced,
  min(latency_bucket) filter (where in_all > 0 and up_to_here * 100 >= in_all * 50) as "medianBucket",
  min(latency_bucket) filter (where in_all > 0 and up_to_here * 100 >= in_all * 95) as "p95Bucket",
  min(latency_bucket) filter (where in_all > 0 and up_to_here * 100 >= in_all * 99) as "p99Bucket"
from counted
group by "group", start
limit {{max_rows}}
