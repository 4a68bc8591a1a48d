-- What groups with usage are ordered by, for find-groups.sql: a percentile of durations.
--
-- In: as placeholders, the group of usage as `key` and the joined relation with it; the relation `chosen`, and parameters
--   of find-groups.sql. `:orderBy` is `medianMilliseconds`, `p95Milliseconds` or `p99Milliseconds`.
-- Out: a row for each group.
--   key       uuid or text  of the group
--   requests  numeric       in the period
--   amount    smallint      latency bucket of the percentile; null without requests
-- Locks: none.
-- Example: if 5 of a group's 100 requests took longer than 80 ms, its 95th percentile is the bucket of 80 ms.

select key, sum(requests) as requests,
  min(latency_bucket) filter (
    where in_all > 0 and up_to_here * 100 >=
      in_all * case :orderBy when 'medianMilliseconds' then 50 when 'p95Milliseconds' then 95 else 99 end
  ) as amount
from (
  select *, sum(requests) over (partition by key order by latency_bucket) as up_to_here,
    sum(requests) over (partition by key) as in_all
  from (
    select key, latency_bucket, sum(requests) as requests, sum(limited) as limited
    from (
      select {{key}} as key, latency_bucket, requests, limited
      from usage {{join_owners}}
      where {{selected_usage}}
      union all
      {{packed_latencies}}
    ) as used
    group by key, latency_bucket
  ) as buckets
) as counted
group by key having sum(requests) > 0 or sum(limited) > 0
