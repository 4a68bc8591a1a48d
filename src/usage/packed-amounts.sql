-- Requests and amounts of the packed rows of one slot length, for amounts-of-groups.sql.
--
-- In: as placeholders, the slot length, the slots of the period, the joined table as `packed`, the array of amounts and
--   that of divisors; the relation `chosen`, and parameters of find-groups.sql.
-- Out: a row for each packed row of a chosen series.
--   key       uuid or text  of the series
--   requests  numeric       in the period; null if it has no usage there
--   limited   numeric       in the period; null without any
--   amount, divisor: numeric, in the period; null without any
-- Locks: none.
-- Example: a day of which 3 hours have usage returns one row with their sum.

select key, sign * sums.requests, sign * sums.limited, sign * sums.amount, sign * sums.divisor
from {{ranges}} as range (length, start, first_slot, end_slot)
cross join chosen
{{join_packed}}
cross join lateral (
  select sum(slot_requests) as requests, sum(slot_limited) as limited, sum(slot_amount) as amount,
    sum(slot_divisor) as divisor
  from (
    select unnest(slots) as slot, unnest(requests) as slot_requests, unnest(limited) as slot_limited,
      unnest({{amount}}) as slot_amount, unnest({{divisors}}) as slot_divisor
  ) as slots
  where slot >= first_slot and slot < end_slot
) as sums
where length = '{{length}}'
