-- Part of read-usage.sql: the parts of the rows of {{table}} in the period, with their time. `offset 0`: series are few,
-- so rows are looked up.
select "group", model, {{time}} as start, sign * requests, sign * failures, sign * limited,
  sign * {{meters.column}},
  sign * timed, latency_bucket
from unnest(:range_lengths::text[], :range_starts::timestamptz[], :first_slots::smallint[], :end_slots::smallint[])
  as range (length, start, first_slot, end_slot)
cross join chosen
cross join lateral (
  select * from {{table}} where series_id = chosen.id and start = range.start offset 0
) as packed
{{parts}}
where length = '{{length}}' and slot >= first_slot and slot < end_slot
