-- Adds counters for limits that a key or an organization hasn't had before. Budgets start with what usage has recorded
-- in their period. When a removed limit is added again, a budget keeps what was charged in its period, and limits that
-- refill start unused. Running requests still hold what they held of budgets, and still run.
--
-- In:
--   :ownerId         uuid   of the key or organization
--   :organizationId  uuid   of its organization, which is itself for an organization
--   :limits          jsonb  array of the new limits, as stored
-- Out: nothing.
-- Locks:
--   The counters of the new limits, in the order of their primary key (owner_id, metric, per). Requests don't use these
--   before the limits are committed. They do lock the counters of committed limits, so those must not be passed, or a
--   stalled transaction would block all requests.
-- Example:
--   :ownerId = '01990000-0000-7000-8000-000000000001'
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :limits = '[{"metric": "cost", "per": "month", "max": "25000000000", "models": ["gpt-mini"]}]'
--   returns nothing

with clock as materialized (
  select clock_timestamp() as time, time_zone from organizations where id = :organizationId
),

{{include limits/budget-periods.sql}},

added as (
  select metric, metric || coalesce(models::text, '') as key, coalesce(per, '') as per, models
  from jsonb_to_recordset(:limits::jsonb) as def (metric text, per text, models jsonb)
),

counted_period as (
  select * from budget_period where per in (select per from added)
),

{{include limits/recorded-usage.sql}},

initial as (
  select metric, key, per,
    coalesce(
      sum(case metric when 'requests' then requests when 'tokens' then tokens when 'pages' then pages else cost end)
        filter (where models is null or models ? model),
      0
    ) as amount
  from added left join recorded using (per)
  group by metric, key, per
)

insert into limit_counters (owner_id, metric, per, organization_id, level, charged, level_at)
select :ownerId, key, per, :organizationId, amount, case when metric = 'cost' then least(amount, 9223372036854775807) else 0 end,
  time
from clock cross join initial
order by key, per
on conflict (owner_id, metric, per) do update
set (level, charged, estimated, held, held_before, reserved, reserved_before, level_at) = (
  select
    case when is_current then greatest(excluded.level, limit_counters.level) else excluded.level end,
    case when is_current then greatest(excluded.charged, limit_counters.charged) else excluded.charged end,
    case when is_current then limit_counters.estimated else 0 end,
    case when keeps_held then limit_counters.held else 0 end,
    case when keeps_held then limit_counters.held_before else 0 end,
    case when is_current then limit_counters.reserved else 0 end,
    case when is_current then limit_counters.reserved_before else 0 end,
    excluded.level_at
  from (
    select coalesce(bool_and(limit_counters.level_at >= period_start), false) as is_current,
      excluded.per = '' or coalesce(bool_and(limit_counters.level_at >= period_start), false) as keeps_held
    from budget_period where budget_period.per = excluded.per
  ) as state
)
