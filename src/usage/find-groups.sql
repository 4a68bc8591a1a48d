-- Finds the groups of a page of a usage report, in the order of an amount or of their names.
--
-- In:
--   :organizationId  uuid         whose usage
--   :from            timestamptz  start of the period (inclusive)
--   :to              timestamptz  end of the period (exclusive)
--   :apiKeyIds       uuid[]       null: all keys
--   :models          text[]       null: all models
--   :tags            text[]       null: keys with any tag, and without
--   :creators        uuid[]       null: keys by any creator
--   :sums            text         see selected-series.sql
--   :rangeLengths    text[]       length of the slots of packed rows in the period: `hour`, `day` or `month`
--   :rangeStarts     timestamptz[]  start of the packed row
--   :firstSlots      smallint[]   first slot
--   :endSlots        smallint[]   slot after the last
--   :orderBy         text         an amount of amounts-of-groups.sql or latencies-of-groups.sql, or `name`
--   :isAscending     boolean      whether the smallest amount or the first name comes first
--   :offset          integer      number of groups on earlier pages
--   :end             integer      place of the last group on the page; null: all groups
-- Out: one row.
--   count            integer      number of all groups
--   groups           text[]       ids of the keys, models or creators, or tags on the page, in order
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :from = '2026-11-27T00:00:00Z'
--   :to = '2026-11-28T00:00:00Z'
--   :apiKeyIds = null
--   :models = null
--   :tags = null
--   :creators = null
--   :sums = 'keys'
--   :rangeLengths = '{hour}'
--   :rangeStarts = '{2026-11-27T00:00:00Z}'
--   :firstSlots = '{0}'
--   :endSlots = '{24}'
--   :orderBy = 'requests'
--   :isAscending = false
--   :offset = 5
--   :end = 10
--   returns 12, {0199…,0198…,…}

with {{include usage/selected-series.sql}}, chosen as (
  {{chosen_series}}
), sums as (
  {{sums}}
), named as (
  select key, requests, amount, case when :orderBy = 'name' then {{name}} end as name from sums
), ranked as materialized (
  select key, row_number() over (
    order by case when :isAscending::boolean then amount end nulls last, amount desc nulls last,
      case when :isAscending::boolean then name end nulls last, name desc nulls last, requests desc, key
  ) as place
  from named
)
select count(*)::integer as count,
  coalesce(
    array_agg(coalesce(key::text, '') order by place)
      filter (where place > :offset::integer and (:end::integer is null or place <= :end)),
    '{}'
  ) as groups
from ranked
