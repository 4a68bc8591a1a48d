-- Requests by latency bucket of the packed rows of one slot length, for latencies-of-groups.sql.
--
-- In: the slot length, the slots of the period and the joined table as placeholders, the relation `chosen`, and parameters of
--   find-groups.sql.
-- Out: a row for each latency of a chosen series in the period, and for each slot, with its rejected requests.
--   key             uuid or text  of the series
--   latency_bucket  integer       null for slots
--   requests        bigint        with this latency; 0 for slots
--   limited         bigint        0 for latencies
-- Locks: none.
-- Example: an hour with requests of 2 durations returns 3 rows.

select key, latency_bucket, sign * part.requests, sign * part.limited
from {{ranges}} as range (length, start, first_slot, end_slot)
cross join chosen
{{join_packed}}
cross join lateral (
  select (latency >> 48)::smallint as slot, (latency >> 40 & 255)::integer - 128 as latency_bucket,
    latency & 1099511627775 as requests, 0 as limited
  from (select unnest(latencies) as latency) as latencies
  union all
  select slot, null, 0, coalesce(limited, 0)
  from (select unnest(slots) as slot, unnest(packed.limited) as limited) as slots
  where packed.limited is not null
) as part
where length = '{{length}}' and slot >= first_slot and slot < end_slot
