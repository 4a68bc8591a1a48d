-- Reads the counters of an organization's limits as one cell hands them to another: what running requests hold counts as
-- charged, until they release it.
--
-- In:
--   :organizationId  uuid
-- Out: one row.
--   counters  text     JSON array with an object for each counter: ownerId, counter, per, metric, max, timeZone, value (what is
--                      charged and held), running (requests of a limit on concurrency), period (start of the budget's
--                      period), estimated, noticed, noticedAt, and at (seconds since 1970)
--   held      numeric  what running requests hold, of all kinds
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns [{"ownerId": "0199…", "counter": "tokens", "per": "day", …}], 0

with clock as materialized (
  select clock_timestamp() as at
), states as (
  select counter.owner_id, counter.metric as counter, counter.per, def.metric, def.max, def.time_zone, counter.noticed,
    counter.noticed_at, at, is_budget(counter.per) as is_budget,
    limit_held(counter.per, counter.held, counter.held_before, counter.held_generation, counter.level_at, at, def.time_zone)
      as held,
    case when is_budget(counter.per) then budget_charged(counter, def.metric, at, def.time_zone)::numeric
      when def.metric <> 'concurrency' then bucket_level(counter.per, def.max, counter.level, counter.level_at, at)::numeric
    end as charged,
    limit_estimated(counter, at, def.time_zone) as estimated
  from clock
  cross join limit_definitions(
    array(select id from api_keys where organization_id = :organizationId::uuid), array[:organizationId::uuid]
  ) as def
  join limit_counters as counter
    on counter.owner_id = def.owner_id and counter.metric = def.counter_metric and counter.per = def.per
)
select coalesce(json_agg(json_build_object(
  'ownerId', owner_id,
  'counter', counter,
  'per', per,
  'metric', metric,
  'max', max,
  'timeZone', time_zone,
  'value', case when metric = 'concurrency' then 0 when is_budget then charged + held else charged end,
  'running', case when metric = 'concurrency' then held else 0 end,
  'period', case when is_budget then period_start(per, at, time_zone) end,
  'estimated', estimated,
  'noticed', noticed,
  'noticedAt', noticed_at,
  'at', extract(epoch from at)
)), '[]')::text as counters, coalesce(sum(held), 0) as held
from states
