-- Reads the limits of a key or an organization with their current state.
--
-- In:
--   :ownerId   uuid              of the key or organization
-- Out: a row for each limit.
--   metric     text              such as `requests`
--   per        text              such as `day`
--   max        double precision
--   time       timestamptz       of the reading
--   charged    double precision  what has been used, and for limits that refill, not regained
--   reserved   double precision  what budgets hold for running requests
--   estimated  double precision  the part of `charged` that nothing reported
-- Locks: none.
-- Example:
--   :ownerId = '01990000-0000-7000-8000-000000000001'
--   returns tokens, day, 1000000, 2026-11-28 02:18:38+00, 5120, 0, 0

with clock as materialized (
  select clock_timestamp() as time
)
select metric, per, max::double precision as max, time, coalesce(charged, 0) as charged,
  coalesce(limit_reserved(per, reserved, reserved_before, generation, level_at, time), 0)::double precision as reserved,
  coalesce(case when is_in_limit_period(per, level_at, time) then least(estimated, charged) end, 0) as estimated
from clock cross join limits_of(array[:ownerId::uuid], array[:ownerId::uuid])
left join limit_counters using (owner_id, metric, per)
cross join lateral limit_level(per, max, level, level_at, time) as charged
