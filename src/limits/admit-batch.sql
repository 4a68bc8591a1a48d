-- Decides which requests of a batch fit the limits of their keys and organizations, and counts those.
--
-- In:
--   live                  relation  a row for each key of the batch, with limits, organization_limits and time_zone
--   demanding             relation  the rows of `live` with limits that the batch may use, with these columns:
--     id, organization_id           of the key
--     limits, organization_limits   jsonb, as stored; null without limits
--     time_zone                     of the organization
--     requests                      number of requests with the key
--     tokens, pages                 how many of them will use tokens, and pages
--     demands                       JSON text: [position in the batch, tokens, pages] of each, the last two 0 or 1
--   :expectsFit           boolean   whether everything will probably fit. If false, requests are decided one by one
--                                   from the start. Only for speed.
-- Out:
--   decided               relation  no row if `demanding` is empty, otherwise one:
--     decisions                     json, the type `Decisions` in admission.ts
-- Locks:
--   limit_counters of requests and running requests, in the order of their primary key (owner_id, metric, per), so that
--   concurrent batches can't deadlock: `limit_demand` is sorted, and all joins are nested loops (`admissionSettings` in
--   admission.ts). count_arrivals locks in the same order. Other counters are read without a lock.
-- Example:
--   with live as materialized (…), demanding as materialized (…), {{include …}} select decisions from decided
--   returns {"at": 1795836000000, "generation": 119722400, "admitted": null,
--     "limits": [["0199…", "requests", "minute", 60, 1, 0, null, null, "requests", null]]}

-- What the batch demands of each limit. Limits on models wait until the model is known.
limit_demand as materialized (
  select owner_id, def.metric, def.metric || coalesce(def.models::text, '') as counter_metric, coalesce(def.per, '') as per,
    def.models, time_zone, def."notifyAt" as notify_at,
    def.max + case when (def.increase->>'until')::timestamptz > now() then (def.increase->>'by')::bigint else 0 end as max,
    case when def.models is not null then 0 when def.metric = 'tokens' then tokens when def.metric = 'pages' then pages
      when def.metric = 'cost' then tokens + pages else requests end as amount
  from (
    select owner_id, (array_agg(limits))[1] as limits, (array_agg(time_zone))[1] as time_zone,
      sum(requests)::bigint as requests, sum(tokens)::bigint as tokens, sum(pages)::bigint as pages
    from (
      select id as owner_id, limits, time_zone, requests, tokens, pages from demanding where limits is not null
      union all
      select organization_id, organization_limits, time_zone, requests, tokens, pages from demanding
      where organization_limits is not null
    ) as key
    group by owner_id
  ) as owner
  cross join lateral jsonb_to_recordset(owner.limits)
    as def (metric text, per text, max bigint, models jsonb, increase jsonb, "notifyAt" jsonb)
  order by 1, 3, 4
),

-- Nearly always everything fits, so all requests are added to their counters first. The subquery is evaluated after
-- waiting for a locked row, so the time and the counter's columns are current.
counted as (
  update limit_counters as counter
  set (level, level_at, held, held_before, held_generation) = (
    select case demand.metric when 'requests' then demand.amount
        + requests_level(counter.per, demand.max, counter.level, counter.level_at, at, demand.time_zone) else 0 end,
      at,
      case demand.metric when 'concurrency' then demand.amount
        + case when counter.held_generation >= generation then counter.held else 0 end else 0 end,
      case when counter.held_generation >= generation then counter.held_before
        when counter.held_generation = generation - 1 then counter.held else 0 end,
      greatest(generation, counter.held_generation)
    from (select at, hold_generation(at) as generation from (select clock_timestamp() as at offset 0) as clock offset 0) as time
  )
  from limit_demand as demand
  where :expectsFit and demand.models is null and demand.metric in ('requests', 'concurrency')
    and counter.owner_id = demand.owner_id and counter.metric = demand.metric and counter.per = demand.per
  returning demand.owner_id, demand.metric, demand.counter_metric, demand.per, demand.models, demand.time_zone, demand.max,
    demand.amount, counter.level, counter.held + counter.held_before as held,
    -- Rounding errors must not reject a client that waited exactly as told.
    counter.level + counter.held + counter.held_before <= demand.max + 0.000001 as fits,
    is_budget(demand.per) and counter.level * 100 >= demand.max * (demand.notify_at->>0)::integer as may_notify,
    counter.level_at as at, (demand.notify_at->>0)::integer as first_notice
),

-- Tokens, pages and costs are reserved later, once they're known. Until then, something of them must be left.
metered as (
  select demand.owner_id, demand.metric, demand.counter_metric, demand.per, demand.models, demand.time_zone, demand.max,
    demand.amount, state.level, state.held, demand.amount = 0 or state.level <= demand.max - 1 + 0.000001 as fits,
    false as may_notify, at, (demand.notify_at->>0)::integer as first_notice
  from (select clock_timestamp() as at offset 0) as time
  cross join limit_demand as demand
  join limit_counters as counter
    on counter.owner_id = demand.owner_id and counter.metric = demand.counter_metric and counter.per = demand.per
  cross join lateral (
    select limit_charged(counter, demand.metric, demand.max, at, demand.time_zone) as level,
      limit_held(counter.per, counter.held, counter.held_before, counter.held_generation, counter.level_at, at,
        demand.time_zone) as held offset 0
  ) as state
  where demand.models is not null or demand.metric not in ('requests', 'concurrency')
),

outcome as materialized (
  select bool_and(fits) as all_fit, max(at) as at,
    json_agg(json_build_array(
      owner_id, metric, per, max, level, held, period_end(per, at, time_zone), models, counter_metric, first_notice
    )) as limits,
    array_agg(owner_id) filter (where is_counted) as owner_ids,
    array_agg(metric) filter (where is_counted) as metrics,
    array_agg(per) filter (where is_counted) as periods,
    array_agg(amount) filter (where is_counted) as amounts,
    bool_or(may_notify) as may_notify
  from (select *, true as is_counted from counted union all select *, false from metered) as state
),

-- If something doesn't fit, count_arrivals takes back what was counted and, still holding the locks, decides in order of
-- arrival. Positions are listed only if some requests with limits aren't in the batch.
decided as (
  select case when :expectsFit and all_fit then json_build_object(
    'at', extract(epoch from at) * 1000,
    'generation', hold_generation(at),
    'admitted', case when not (
        (select count(*) from demanding)
        = (select count(*) from live where limits is not null or organization_limits is not null)
      )
      then (select json_agg((demand->>0)::integer) from demanding cross join lateral json_array_elements(demands::json) as demand) end,
    'limits', limits,
    'noted', case when may_notify then note_thresholds(owner_ids, metrics, periods)::text end
  ) else count_arrivals(
    owner_ids, metrics, periods, amounts,
    (
      select array_agg(
        row ((demand->>0)::integer, id, organization_id, (demand->>1)::integer > 0, (demand->>2)::integer > 0)::arrival_demand
        order by (demand->>0)::integer
      )
      from demanding cross join lateral json_array_elements(demands::json) as demand
    )
  ) end as decisions
  from outcome where exists (select from demanding)
)
