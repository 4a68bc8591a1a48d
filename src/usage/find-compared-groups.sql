-- Finds the groups with usage in a period or in one that it's compared with, in the order of an amount, of how much it
-- changed, or of their names. Groups without usage in the period have no amount.
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
--   :comparedFrom    timestamptz  start of the other period (inclusive)
--   :comparedTo      timestamptz  end of the other period (exclusive)
--   :ordersByChange  boolean      whether groups are ordered by the change of the amount
--   :rangeLengths    text[]       length of the slots of packed rows in the period: `hour`, `day` or `month`
--   :rangeStarts     timestamptz[]  start of the packed row
--   :firstSlots      smallint[]   first slot
--   :endSlots        smallint[]   slot after the last
--   :comparedLengths text[]       length of the slots of packed rows in the other period
--   :comparedStarts  timestamptz[]  start of the packed row
--   :comparedFirst   smallint[]   first slot
--   :comparedEnd     smallint[]   slot after the last
-- Out: the row of ranked-groups.sql.
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
--   :sums = 'keys'
--   :rangeLengths = '{hour}'
--   :rangeStarts = '{2026-11-27T00:00:00Z}'
--   :firstSlots = '{0}'
--   :endSlots = '{24}'
--   :comparedFrom = '2026-11-26T00:00:00Z'
--   :comparedTo = '2026-11-27T00:00:00Z'
--   :ordersByChange = true
--   :comparedLengths = '{hour}'
--   :comparedStarts = '{2026-11-26T00:00:00Z}'
--   :comparedFirst = '{0}'
--   :comparedEnd = '{24}'
--   returns 12, {0199…,0198…,…}

with {{include usage/selected-series.sql}}, chosen as (
  {{chosen_series}}
), sums as (
  select key, requests, case when :ordersByChange::boolean then {{change}} else current end as amount
  from (
    select key, coalesce(max(requests) filter (where is_current), 0) as requests,
      max(amount) filter (where is_current) as current, max(amount) filter (where not is_current) as previous
    from (
      select key, requests, amount, true as is_current from ({{sums}}) as used
      union all
      select key, requests, amount, false from ({{compared_sums}}) as used_before
    ) as both_periods
    group by key
  ) as compared
), {{include usage/ranked-groups.sql}}
