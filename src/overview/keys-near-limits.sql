-- Finds the API keys of an organization that have used at least 80% of a budget in its current period, those closest to
-- their maximum first.
--
-- What running requests hold counts as used, as in the function `budget_charged` and the state of limits.
--
-- In:
--   :organizationId  uuid     of the keys
-- Out: up to five rows, none without such keys.
--   count            integer  such keys
--   id               uuid     of the key
--   name             text     of the key
--   hint             text     first characters of the key
--   usedPercent      float8   of the budget closest to its maximum, rounded down to thousandths
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns 1, 0199…, Search indexer, kc_4fT9q, 92.5

with clock as materialized (
  select clock_timestamp() as time
),

-- The functions would compute these for each counter.
period as materialized (
  select per, period_start(per, time, time_zone) as start
  from clock cross join organizations cross join unnest(array['day', 'week', 'month']) as per
  where organizations.id = :organizationId
),

used as materialized (
  select owner_id, metric, counter.per, (case when metric like 'cost%' then charged else round(level) end)::float8
      + counter.held + counter.held_before as amount
  from limit_counters as counter join period on period.per = counter.per and counter.level_at >= period.start
  where counter.organization_id = :organizationId and counter.owner_id <> :organizationId
),

near as (
  select id, max(floor(amount * 100000 / allowed) / 1000) as used_percent
  from used join api_keys on api_keys.id = owner_id
  cross join lateral (
    select value->>'metric' || coalesce((value->'models')::text, '') as counter_metric, value->>'per' as per,
      nullif((value->>'max')::float8
        + case when (value#>>'{increase,until}')::timestamptz > (select time from clock)
            then (value#>>'{increase,by}')::float8 else 0 end, 0) as allowed
    from jsonb_array_elements(api_keys.limits) as one (value)
  ) as def
  where amount > 0 and api_keys.organization_id = :organizationId and enabled
    and (expires_at is null or expires_at > (select time from clock))
    and def.counter_metric = used.metric and def.per = used.per and amount >= allowed * 0.8
  group by id
)

select count, id, name, hint, used_percent as "usedPercent"
from (
  select id, least(used_percent, 1000000) as used_percent, (count(*) over ())::integer as count from near
  order by used_percent desc, id limit {{max_named}}
) as found
join api_keys using (id)
order by used_percent desc, id
