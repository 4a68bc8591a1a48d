-- Sums the usage of an organization in a part of the previous month, and in the time before it. Unlike read-usage.sql, it
-- reads no latencies and only what an overview shows.
--
-- In:
--   :organizationId  uuid         whose usage
--   :keptFrom        timestamptz  start of the time before the part (inclusive)
--   :from            timestamptz  start of the part (inclusive)
--   :to              timestamptz  end of the part (exclusive)
--   :rangeLengths    text[]       length of the slots of packed rows in both: `hour`, `day` or `month`
--   :rangeStarts     timestamptz[]  start of the packed row
--   :firstSlots      smallint[]   first slot
--   :endSlots        smallint[]   slot after the last
--   :areBefore       boolean[]    whether the slots are in the time before the part
-- Out: a row for the part and one for the time before it, if they have usage.
--   isBefore         boolean      whether it's the time before
--   requests, failures, limited, and a column for some meters: numeric
--   pricedRequests   numeric      the requests that have a cost
--   cost             numeric      in billionths of the currency
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :keptFrom = '2025-10-24T00:00:00Z'
--   :from = '2026-10-01T00:00:00Z'
--   :to = '2026-10-28T00:00:00Z'
--   :rangeLengths = '{day}'
--   :rangeStarts = '{2026-10-01T00:00:00Z}'
--   :firstSlots = '{0}'
--   :endSlots = '{27}'
--   :areBefore = '{false}'
--   returns false, 3, 0, 0, …

select is_before as "isBefore",
  coalesce(sum({{columns.column}}), 0) as "{{columns.name}}",
  coalesce(sum(requests), 0) as requests, coalesce(sum(failures), 0) as failures, coalesce(sum(limited), 0) as limited
from (
  select hour < :from as is_before,
    {{columns.column}},
    requests, failures, limited
  from usage where organization_id = :organizationId and hour >= :keptFrom and hour < :to
  union all
  {{packed_sums}}
) as used
group by is_before
