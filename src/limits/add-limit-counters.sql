-- Adds counters for limits that a key or an organization hasn't had before. Budgets start with what usage has recorded
-- in their period. When a removed limit is added again, a budget keeps what was charged in its period, and the others
-- start unused.
--
-- In: two arrays with an element for each new limit, and two single values.
--   :ownerId         uuid    of the key or organization
--   :organizationId  uuid    of its organization, which is itself for an organization
--   :metrics         text[]  such as `requests`
--   :periods         text[]  such as `day`
-- Out: nothing.
-- Locks:
--   The counters of the new limits, in the order of their primary key (owner_id, metric, per). Requests don't use these
--   before the limits are committed. They do lock the counters of committed limits, so those must not be passed, or a
--   stalled transaction would block all requests.
-- Example:
--   :ownerId = '01990000-0000-7000-8000-000000000001'
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :metrics = '{requests,tokens}'
--   :periods = '{minute,month}'
--   returns nothing

with added as (
  select * from unnest(:metrics::text[], :periods::text[]) as one (metric, per)
),

clock as materialized (
  select clock_timestamp() as time
),

-- What the budgets' periods have used so far. Past hours may be packed; the packed sum of all keys has no key.
recorded as (
  select budget.per, sum(requests) as requests, sum(tokens) as tokens, sum(pages) as pages
  from clock cross join (select distinct per from added where per in ('day', 'month')) as budget
  join (
    select hour, requests,
      coalesce({{tokens.column}}, 0) +
      0 as tokens,
      coalesce({{pages.column}}, 0) +
      0 as pages
    from usage
    where organization_id = :organizationId and (api_key_id = :ownerId or :ownerId::uuid = :organizationId::uuid)
      and hour >= date_trunc('month', now(), 'UTC')
    union all
    select start + slot * interval '24 hours', packed.requests,
      coalesce(packed.{{tokens.column}}, 0) +
      0,
      coalesce(packed.{{pages.column}}, 0) +
      0
    from usage_series join usage_by_day as days on series_id = id
    cross join lateral unnest(
      days.{{tokens.column}},
      days.{{pages.column}},
      days.slots, days.requests
    ) as packed (
      {{tokens.column}},
      {{pages.column}},
      slot, requests
    )
    where organization_id = :organizationId and api_key_id =
        case when :ownerId::uuid = :organizationId::uuid then '00000000-0000-0000-0000-000000000000' else :ownerId::uuid end
      and start >= date_trunc('month', now(), 'UTC')
  ) as used (hour, requests, tokens, pages) on hour >= date_trunc(budget.per, clock.time, 'UTC')
  group by budget.per
)

insert into limit_counters (owner_id, metric, per, organization_id, level, level_at)
select :ownerId, metric, per, :organizationId,
  coalesce(case metric when 'requests' then requests when 'tokens' then tokens else pages end, 0), clock.time
from clock cross join added left join recorded using (per)
order by metric, per
on conflict (owner_id, metric, per) do update
set level = case when excluded.per in ('day', 'month') then greatest(
      excluded.level,
      limit_level(excluded.per, 0, limit_counters.level, limit_counters.level_at, excluded.level_at)
    ) else 0 end,
  level_at = excluded.level_at,
  estimated = case when excluded.per in ('day', 'month')
    and is_in_limit_period(excluded.per, limit_counters.level_at, excluded.level_at)
    then limit_counters.estimated else 0 end,
  reserved = case when excluded.per in ('day', 'month')
    and is_in_limit_period(excluded.per, limit_counters.level_at, excluded.level_at)
    then limit_counters.reserved else 0 end,
  reserved_before = case when excluded.per in ('day', 'month')
    and is_in_limit_period(excluded.per, limit_counters.level_at, excluded.level_at)
    then limit_counters.reserved_before else 0 end
