-- What usage has recorded of a key or an organization since a period has started, by model. Common table expressions for
-- statements.
--
-- Usage is recorded by UTC hour, so the hour in which a period starts counts completely. Past hours may be packed. The
-- packed sum of all keys has no key. Days are read instead of hours where they don't overlap the start of the period, or
-- if their hours were deleted: they then count completely as well, because a budget must not be exceeded.
--
-- In:
--   :ownerId         uuid         of the key or organization
--   :organizationId  uuid         of its organization, which is itself for an organization
--   counted_period   relation     a row for each period
--     per            text         such as `month`
--     period_start   timestamptz
-- Out:
--   recorded         relation     a row for each period and model
--     per, model     text
--     requests, tokens, pages, cost: numeric; cost in billionths of the currency
-- Locks: none.
-- Example:
--   with counted_period as (select …), {{include …}} select sum(cost) from recorded
--   returns 1250000000

owner_series as materialized (
  select id, model from usage_series
  where organization_id = :organizationId and api_key_id =
    case when :ownerId::uuid = :organizationId::uuid then '00000000-0000-0000-0000-000000000000' else :ownerId::uuid end
),

recorded as (
  select per, model, sum(requests) as requests, sum(tokens) as tokens, sum(pages) as pages, sum(cost) as cost
  from counted_period
  cross join lateral (select date_trunc('day', period_start, 'UTC') as first_day) as utc
  cross join lateral (
    select model, requests,
      coalesce({{tokens.column}}, 0) +
      0 as tokens,
      coalesce({{pages.column}}, 0) +
      0 as pages,
      coalesce(cost, 0) as cost
    from usage
    where organization_id = :organizationId and (api_key_id = :ownerId or :ownerId::uuid = :organizationId::uuid)
      and hour > period_start - interval '1 hour'
    union all
    select model, packed.requests,
      coalesce(packed.{{tokens.column}}, 0) +
      0,
      coalesce(packed.{{pages.column}}, 0) +
      0,
      coalesce(packed.cost, 0)
    from owner_series join usage_by_day as days on series_id = id
    cross join lateral unnest(
      days.{{tokens.column}},
      days.{{pages.column}},
      days.slots, days.requests, days.cost
    ) as packed (
      {{tokens.column}},
      {{pages.column}},
      slot, requests, cost
    )
    where days.start >= date_trunc('month', first_day, 'UTC') and days.start + slot * interval '24 hours' >= first_day
      and not (
        first_day < period_start and days.start + slot * interval '24 hours' = first_day
        and exists (select from usage_by_hour as hours where hours.series_id = id and hours.start = first_day)
      )
    union all
    select model, packed.requests,
      coalesce(packed.{{tokens.column}}, 0) +
      0,
      coalesce(packed.{{pages.column}}, 0) +
      0,
      coalesce(packed.cost, 0)
    from owner_series join usage_by_hour as hours on series_id = id and hours.start = first_day
    cross join lateral unnest(
      hours.{{tokens.column}},
      hours.{{pages.column}},
      hours.slots, hours.requests, hours.cost
    ) as packed (
      {{tokens.column}},
      {{pages.column}},
      slot, requests, cost
    )
    where first_day < period_start and hours.start + slot * interval '1 hour' > period_start - interval '1 hour'
  ) as used
  group by per, model
)
