-- Finds the API keys of an organization that need attention, with the most urgent of each kind.
--
-- Last uses have no index, because each request would write to it, so finding unused keys reads all keys. The other
-- kinds use indexes.
--
-- In:
--   :organizationId  uuid         of the keys
-- Out: up to five rows for each kind that has keys.
--   kind             text         leaked-keys, expiring-keys, unused-keys or keys-near-limits
--   count            integer      keys of this kind
--   id               uuid         of the key
--   name             text         of the key
--   hint             text         first characters of the key
--   at               timestamptz  when it leaked, expires, or was last used or created; null near limits
--   usedPercent      integer      of the budget closest to its maximum; null for the other kinds
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns expiring-keys, 1, 0199…, Search indexer, kc_4fT9q, 2026-12-01 00:00:00+00, null

with clock as materialized (
  select clock_timestamp() as time
),

leaked as materialized (
  select id, leaked_at as at, (count(*) over ())::integer as count from api_keys
  where organization_id = :organizationId
    and leaked_secret is not null
    and (leaked_secret = 'current' or previous_secret_expires_at > (select time from clock))
  order by leaked_at desc, id limit {{max_named}}
),

expiring as materialized (
  select id, expires_at as at, (count(*) over ())::integer as count from api_keys
  where organization_id = :organizationId and enabled
    and expires_at > (select time from clock) and expires_at <= (select time + interval '7 days' from clock)
  order by expires_at, id limit {{max_named}}
),

unused as materialized (
  select id, coalesce(last_used_at, created_at) as at, (count(*) over ())::integer as count from api_keys
  where organization_id = :organizationId and enabled
    and (expires_at is null or expires_at > (select time from clock))
    and created_at <= (select time - interval '90 days' from clock)
    and (last_used_at is null or last_used_at <= (select time - interval '90 days' from clock))
  order by coalesce(last_used_at, created_at), id limit {{max_named}}
),

-- Counters of periods that have ended are skipped before the limits of their keys are read.
charged as materialized (
  select counter, owner_id, time, time_zone
  from limit_counters as counter cross join clock
  join organizations on organizations.id = :organizationId
  where counter.organization_id = :organizationId and counter.owner_id <> :organizationId
    and is_budget(counter.per) and counter.level_at > time - interval '32 days'
    and (counter.level > 0 or counter.charged > 0 or counter.held > 0 or counter.held_before > 0)
    and counter.level_at >= period_start(counter.per, time, time_zone)
),

near as materialized (
  select id, used_percent, (count(*) over ())::integer as count
  from (
    select api_keys.id, max(floor(
      (budget_charged(counter, def.metric, time, time_zone)::numeric
        + limit_held((counter).per, (counter).held, (counter).held_before, (counter).held_generation,
          (counter).level_at, time, time_zone)) * 100 / nullif(def.allowed, 0)
    )) as used_percent
    from charged join api_keys on api_keys.id = owner_id
    cross join lateral (
      select metric, metric || coalesce(models::text, '') as counter_metric, per,
        max::numeric + case when (increase->>'until')::timestamptz > time then (increase->>'by')::numeric else 0 end
          as allowed
      from jsonb_to_recordset(api_keys.limits) as one (metric text, per text, max text, models jsonb, increase jsonb)
    ) as def
    where api_keys.organization_id = :organizationId and enabled and (expires_at is null or expires_at > time)
      and def.counter_metric = (counter).metric and def.per = (counter).per
    group by api_keys.id
  ) as limited
  where used_percent >= 80
  order by used_percent desc, id limit {{max_named}}
)

select kind, count, id, name, hint, at, used_percent as "usedPercent"
from (
  select 'leaked-keys' as kind, count, id, at, null::integer as used_percent from leaked
  union all
  select 'keys-near-limits', count, id, null, used_percent::integer from near
  union all
  select 'expiring-keys', count, id, at, null from expiring
  union all
  select 'unused-keys', count, id, at, null from unused
) as found
join api_keys using (id)
order by kind, used_percent desc, case kind when 'leaked-keys' then -extract(epoch from at) else extract(epoch from at) end, id
