-- Part of find-groups.sql: the requests of each row of {{table}} in the period; null if it has no usage there.
select key, (
  select sum(slot_requests)::bigint from (select unnest(slots) as slot, unnest(requests) as slot_requests) as slots
  where slot >= first_slot and slot < end_slot
) as requests
from unnest(:range_lengths::text[], :range_starts::timestamptz[], :first_slots::smallint[], :end_slots::smallint[])
  as range (length, start, first_slot, end_slot)
cross join chosen
join {{table}} as packed on packed.series_id = chosen.id and packed.start = range.start
where length = '{{length}}'
