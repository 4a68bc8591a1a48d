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
--   :tagPrefix       text         start of the tags that are groups; null: all tags
--   :sums            text         see selected-series.sql
--   :rangeLengths    text[]       length of the slots of packed rows in the period: `hour`, `day` or `month`
--   :rangeStarts     timestamptz[]  start of the packed row
--   :firstSlots      smallint[]   first slot
--   :endSlots        smallint[]   slot after the last
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
--   returns 12, {0199…,0198…,…}

with {{include usage/selected-series.sql}}, chosen as (
  {{chosen_series}}
), sums as (
  {{sums}}
), {{include usage/ranked-groups.sql}}
