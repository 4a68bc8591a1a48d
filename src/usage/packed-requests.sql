-- Requests and amounts of the packed rows of one slot length, for find-groups.sql.
--
-- In: the table, its slot length and the array of amounts as placeholders, the relation `chosen`, and parameters of
--   find-groups.sql.
-- Out: a row for each packed row of a chosen series.
--   key       uuid or text  of the series
--   requests  numeric       in the period; null if it has no usage there
--   amount    numeric       in the period; null without any
-- Locks: none.
-- Example: a day of which 3 hours have usage returns one row with their sum.

select key, sums.requests, sums.amount
from unnest(:rangeLengths::text[], :rangeStarts::timestamptz[], :firstSlots::smallint[], :endSlots::smallint[])
  as range (length, start, first_slot, end_slot)
cross join chosen
join {{table}} as packed on packed.series_id = chosen.id and packed.start = range.start
cross join lateral (
  select sum(slot_requests) as requests, sum(slot_amount) as amount
  from (
    select unnest(slots) as slot, unnest(requests) as slot_requests, unnest({{amount}}) as slot_amount
  ) as slots
  where slot >= first_slot and slot < end_slot
) as sums
where length = '{{length}}'
