-- Decides which requests of a batch fit the limits of their keys and organizations, and counts those.
--
-- In:
--   live                  relation  a row for each key of the batch, with limits and organization_limits
--   demanding             relation  the rows of `live` with limits that the batch may use, with these columns:
--     id, organization_id           of the key
--     limits, organization_limits   jsonb, as stored; null without limits
--     requests                      number of requests with the key
--     tokens, pages                 how many of them will use tokens, and pages
--     demands                       JSON text: [position in the batch, tokens, pages] of each, the last two 0 or 1
--   :expectsFit           boolean   whether everything will probably fit. If false, requests are decided one by one
--                                   from the start. Only for speed.
-- Out:
--   decided               relation  no row if `demanding` is empty, otherwise one:
--     decisions                     json, the type `Decisions` in admission.ts
-- Locks:
--   limit_counters of requests, in the order of their primary key (owner_id, metric, per), so that concurrent batches
--   can't deadlock: `limit_demand` is sorted, and all joins are nested loops (`admissionSettings` in admission.ts).
--   count_one_by_one locks in the same order. Counters of tokens and pages are read without a lock.
-- Example:
--   with live as materialized (…), demanding as materialized (…), {{include …}} select decisions from decided
--   returns {"at": 1795836000000, "admitted": null, "limits": [["0199…", "requests", "minute", 60, 1, 0]]}

-- What the batch demands of each limit.
limit_demand as materialized (
  select owner_id, def.metric, def.per, def.max,
    sum(case def.metric when 'requests' then requests when 'tokens' then tokens else pages end)::bigint as amount
  from (
    select id as owner_id, limits, requests, tokens, pages from demanding where limits is not null
    union all
    select organization_id, organization_limits, requests, tokens, pages from demanding where organization_limits is not null
  ) as owner
  cross join lateral jsonb_to_recordset(owner.limits) as def (metric text, per text, max bigint)
  group by 1, 2, 3, 4
  order by 1, 2, 3
),

-- Nearly always everything fits, so all requests are added to their counters first. The subquery is evaluated after
-- waiting for a locked row, so the time and the counter's columns are current.
counted as (
  update limit_counters as counter
  set (level, level_at) = (
    select limit_level(counter.per, demand.max, counter.level, counter.level_at, at) + demand.amount, at
    from (select clock_timestamp() as at offset 0) as time
  )
  from limit_demand as demand
  where :expectsFit and demand.metric = 'requests'
    and counter.owner_id = demand.owner_id and counter.metric = demand.metric and counter.per = demand.per
  returning counter.owner_id, counter.metric, counter.per, demand.max, demand.amount, counter.level, 0::bigint as reserved,
    -- Rounding errors must not reject a client that waited exactly as told.
    counter.level <= demand.max + 0.000001 as fits, counter.level_at as at
),

-- Tokens and pages are reserved later, once they're known. Until then, something of them must be left.
metered as (
  select counter.owner_id, counter.metric, counter.per, demand.max, demand.amount, state.level,
    limit_reserved(counter.per, counter.reserved, counter.reserved_before, counter.generation, counter.level_at, at)
      as reserved,
    demand.amount = 0 or state.level <= demand.max - 1 + 0.000001 as fits, at
  from (select clock_timestamp() as at offset 0) as time
  cross join limit_demand as demand
  join limit_counters as counter
    on counter.owner_id = demand.owner_id and counter.metric = demand.metric and counter.per = demand.per
  cross join lateral (
    select limit_level(counter.per, demand.max, counter.level, counter.level_at, at) as level offset 0
  ) as state
  where demand.metric <> 'requests'
),

outcome as materialized (
  select bool_and(fits) as all_fit, max(at) as at,
    json_agg(json_build_array(owner_id, metric, per, max, level, reserved)) as limits,
    array_agg(owner_id) filter (where metric = 'requests') as owner_ids,
    array_agg(per) filter (where metric = 'requests') as periods,
    array_agg(amount) filter (where metric = 'requests') as amounts
  from (select * from counted union all select * from metered) as state
),

-- If something doesn't fit, count_one_by_one takes back what was counted and, still holding the locks, decides in order
-- of arrival. Positions are listed only if some requests with limits aren't in the batch.
decided as (
  select case when :expectsFit and all_fit then json_build_object(
    'at', extract(epoch from at) * 1000,
    'admitted', case when not (
        (select count(*) from demanding)
        = (select count(*) from live where limits is not null or organization_limits is not null)
      )
      then (select json_agg((demand->>0)::integer) from demanding cross join lateral json_array_elements(demands::json) as demand) end,
    'limits', limits
  ) else count_one_by_one(
    owner_ids, periods, amounts,
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
