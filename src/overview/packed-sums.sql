-- Usage in the packed rows of one slot length, for previous-month.sql.
--
-- In: the table and its slot length as placeholders, and parameters of previous-month.sql.
-- Out: a row for each slot, with the columns of `used`.
-- Locks: none.
-- Example: a day of which 3 hours have usage returns 3 rows.

select is_before,
  part.{{columns.column}},
  part.requests, part.failures, part.limited
from unnest(
  :rangeLengths::text[], :rangeStarts::timestamptz[], :firstSlots::smallint[], :endSlots::smallint[], :areBefore::boolean[]
) as range (length, start, first_slot, end_slot, is_before)
cross join usage_series as series
join {{table}} as packed on packed.series_id = series.id and packed.start = range.start
cross join lateral (
  select unnest(slots) as slot, unnest(packed.requests) as requests, unnest(packed.failures) as failures,
    unnest(packed.{{columns.column}}) as {{columns.column}},
    unnest(packed.limited) as limited
) as part
where organization_id = :organizationId and api_key_id = {{all_keys}}
  and length = '{{length}}' and slot >= first_slot and slot < end_slot
