-- Parts of the packed rows of one slot length, for read-usage.sql. `offset 0` has rows looked up, because series are few.
--
-- In: the table, its slot length and the time of a slot as placeholders, the relation `chosen`, and parameters of
--   read-usage.sql.
-- Out: a row for each slot in the period, and for each of its latency buckets, with the columns of `used`.
-- Locks: none.
-- Example: an hour with requests of 2 durations returns 3 rows.

select "group", {{time}} as start, sign * part.requests, sign * part.failures, sign * part.limited,
  sign * part.{{columns.column}},
  sign * timed, latency_bucket
from unnest(:rangeLengths::text[], :rangeStarts::timestamptz[], :firstSlots::smallint[], :endSlots::smallint[])
  as range (length, start, first_slot, end_slot)
cross join chosen
cross join lateral (
  select * from {{table}} where series_id = chosen.id and start = range.start offset 0
) as packed
{{parts}}
where length = '{{length}}' and slot >= first_slot and slot < end_slot
