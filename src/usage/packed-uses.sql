-- Requests in the packed rows of one slot length, for first-use.sql. `offset 0` has rows looked up, because series are few.
--
-- In: the table, its slot length and the time of a slot as placeholders, the relation `chosen`, and parameters of
--   first-use.sql.
-- Out: a row for each slot in the period, with the columns of `used`.
-- Locks: none.
-- Example: a day of which 3 hours have usage returns 3 rows.

select "group", {{time}} as time, sign * (part.requests + coalesce(part.limited, 0)) as requests,
  sign * part.priced_requests
from unnest(:rangeLengths::text[], :rangeStarts::timestamptz[], :firstSlots::smallint[], :endSlots::smallint[])
  as range (length, start, first_slot, end_slot)
cross join chosen
cross join lateral (
  select * from {{table}} where series_id = chosen.id and start = range.start offset 0
) as packed
cross join lateral (
  select unnest(slots) as slot, unnest(packed.requests) as requests, unnest(packed.limited) as limited,
    unnest(packed.priced_requests) as priced_requests
) as part
where length = '{{length}}' and slot >= first_slot and slot < end_slot
