-- Reads the limits of keys or organizations with their current state. Amounts are text, because costs may exceed 2^53.
--
-- What running requests hold expires unless it is renewed in each generation of 15 seconds. It's then charged to budgets,
-- because the requests may have used it.
--
-- In:
--   :ownerIds     uuid[]       of the keys or organizations
-- Out: a row for each limit.
--   ownerId       uuid         of its key or organization
--   limit         jsonb        as stored
--   time          timestamptz  of the reading
--   isIncreased   boolean      whether its increase applies
--   max           text         with the increase
--   charged       text         what has been used, and for limits that refill, not regained; may be a fraction
--   reserved      text         what running requests hold in addition, or their number
--   estimated     text         the part of `charged` that nothing reported; may be a fraction
--   resetsAt      timestamptz  when the budget's period ends; null for other limits
-- Locks: none.
-- Example:
--   :ownerIds = '{01990000-0000-7000-8000-000000000001}'
--   returns 0199…1, {"metric": "tokens", "per": "day", "max": 1000000}, 2026-11-28 02:18:38+00, false, 1000000, 5120, 0, 0, 2026-11-29 00:00:00+00

with owner as materialized (
  select api_keys.id, api_keys.limits, time_zone from api_keys join organizations on organizations.id = organization_id
  where api_keys.id = any (:ownerIds::uuid[])
  union all
  select id, limits, time_zone from organizations where id = any (:ownerIds::uuid[])
),

clock as materialized (
  select clock_timestamp() as time
),

def as (
  select owner.id as owner_id, value as "limit", value->>'metric' as limit_metric, coalesce(value->>'per', '') as period, time, time_zone,
    (value->>'metric') || coalesce((value->'models')::text, '') as counter_metric, is_increased,
    (value->>'max')::bigint + case when is_increased then (value#>>'{increase,by}')::bigint else 0 end as max
  from clock cross join owner cross join lateral jsonb_array_elements(owner.limits) as one (value)
  cross join lateral (select coalesce((value#>>'{increase,until}')::timestamptz > time, false) as is_increased) as increase
)

select def.owner_id as "ownerId", "limit", time, is_increased as "isIncreased", max::text, coalesce(
    case when limit_metric = 'concurrency' then '0'
      when is_budget(period) then budget_charged(counter, limit_metric, time, time_zone)::text
      else bucket_level(period, max, level, level_at, time)::text end, '0'
  ) as charged,
  coalesce(limit_held(period, held, held_before, held_generation, level_at, time, time_zone), 0)::text as reserved,
  coalesce(case when limit_metric = 'concurrency' then '0'
    when is_budget(period) then least(limit_estimated(counter, time, time_zone)::numeric,
      budget_charged(counter, limit_metric, time, time_zone))::text
    else least(estimated, bucket_level(period, max, level, level_at, time))::text end, '0') as estimated,
  to_timestamp(period_end(period, time, time_zone) / 1000) as "resetsAt"
from def left join limit_counters as counter
  on counter.owner_id = def.owner_id and counter.metric = def.counter_metric and counter.per = def.period
