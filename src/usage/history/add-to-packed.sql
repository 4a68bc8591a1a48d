-- Adds facts to packed rows, or subtracts them. A slot without usage is removed, and an array of zeros is null.
--
-- Sums stay within bigint: an error would stop the retention task.
--
-- A latency is packed as slot (bits 48 and up), latency bucket + 128, because the bucket of the shortest durations is negative
-- (8 bits), and number of requests (40 bits).
--
-- In: as placeholders, the table, the start of the row and the slot for the column `time`, the sign (`-` subtracts), and
--   a relation of facts with series_id, time and the columns of parts except for slot.
-- Out: nothing.
-- Locks: the packed rows, in the order of start and series. Only the replica that runs the retention task changes them.
-- Example: 3 requests at 9:30 add 3 to the slot 9 of their day in usage_by_hour.

insert into {{table}} (
  series_id, start, slots, requests, failures, limited,
  {{columns.column}},
  latencies
)
select series_id, start,
  coalesce(array_agg(slot order by slot) filter (where is_used), '{}'),
  coalesce(array_agg(requests order by slot) filter (where is_used), '{}'),
  case when bool_or(is_used and failures <> 0) then array_agg(failures order by slot) filter (where is_used) end,
  case when bool_or(is_used and limited <> 0) then array_agg(limited order by slot) filter (where is_used) end,
  case when bool_or(is_used and {{columns.column}} <> 0) then array_agg({{columns.column}} order by slot) filter (where is_used) end,
  coalesce(
    array_agg(((slot::bigint << 8) + latency_bucket + 128 << 40) + timed order by slot, latency_bucket)
      filter (where latency_bucket is not null and timed <> 0),
    '{}'
  )
from (
  select *, is_sum and (requests <> 0 or limited <> 0) as is_used
  from (
    select series_id, start, slot, latency_bucket, grouping(latency_bucket) = 1 as is_sum,
      sum(requests)::bigint as requests, sum(failures)::bigint as failures, sum(limited)::bigint as limited,
      greatest(least(coalesce(sum({{columns.column}}), 0), {{max_sum}}), 0)::bigint as {{columns.column}},
      sum(timed)::bigint as timed
    from (
      select series_id, {{start}} as start, ({{slot}})::smallint as slot, latency_bucket,
        {{sign}}requests as requests, {{sign}}failures as failures, {{sign}}limited as limited,
        {{sign}}{{columns.column}} as {{columns.column}},
        {{sign}}timed as timed
      from {{facts}}
      union all
      select changed.series_id, changed.start, part.*
      from (select distinct series_id, {{start}} as start from {{facts}}) as changed
      cross join lateral (
        select * from {{table}} where series_id = changed.series_id and start = changed.start offset 0
      ) as packed
      {{parts}}
    ) as parts
    group by grouping sets ((series_id, start, slot), (series_id, start, slot, latency_bucket))
  ) as sums
) as marked
group by series_id, start
order by start, series_id
on conflict (series_id, start) do update set
  slots = excluded.slots, requests = excluded.requests, failures = excluded.failures, limited = excluded.limited,
  {{columns.column}} = excluded.{{columns.column}},
  latencies = excluded.latencies
