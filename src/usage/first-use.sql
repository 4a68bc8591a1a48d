-- Finds when each of some groups was first used, and when it first had a cost. Unlike read-usage.sql, it reads slots of any
-- lengths, such as months of which only matters that there was something, and no latencies.
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
--   :groups          text[]       ids of the keys, models or creators, or tags
-- Out: a row for each group that has usage.
--   group            text         id of the key, model or creator, or tag; empty without grouping, tag or known creator
--   usage            timestamptz  start of the first hour with requests, or a time in the first longer slot with some
--   cost             timestamptz  the same for requests that have a cost; null without any
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :from = '2025-11-27T00:00:00Z'
--   :to = '2026-11-27T00:00:00Z'
--   :apiKeyIds = null
--   :models = null
--   :tags = null
--   :creators = null
--   :tagPrefix = null
--   :sums = 'all'
--   :rangeLengths = '{hour}'
--   :rangeStarts = '{2026-11-26T00:00:00Z}'
--   :firstSlots = '{0}'
--   :endSlots = '{24}'
--   :groups = '{01990000-0000-7000-8000-000000000001}'
--   returns 0199…, 2026-11-26T09:00:00Z, 2026-11-26T11:00:00Z

with {{include usage/selected-series.sql}}, chosen as (
  {{chosen_series}}
), used as (
  select {{group_on_page}} as "group", hour as time, requests + limited as requests, priced_requests
  from usage {{join_owners}}
  where {{selected_usage}}
  union all
  {{packed_uses}}
), slots as (
  -- The usage of a key that has left a group is subtracted.
  select "group", time, sum(requests) > 0 as is_used, sum(priced_requests) > 0 as has_cost
  from used where "group" is not null
  group by "group", time
)
select "group", min(time) filter (where is_used) as usage, min(time) filter (where has_cost) as cost
from slots
group by "group"
