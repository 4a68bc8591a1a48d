-- Renews what running requests hold, and settles requests that have ended.

-- Moves holds of running requests to the current generation, which it returns. Takes JSON: an array of objects with
-- ownerId, counterMetric, metric, per, generation, since and amount. `since` is when the hold was made, in milliseconds
-- since 1970: budgets forget those of earlier periods.
create function renew_holds(holds json) returns bigint language plpgsql as $$
declare
  renewed_at timestamptz;
  this_generation bigint;
begin
  perform from json_to_recordset(holds) as one ("ownerId" uuid, "counterMetric" text, per text)
    join limit_counters as counter
      on counter.owner_id = "ownerId" and counter.metric = "counterMetric" and counter.per = one.per
    order by counter.owner_id, counter.metric, counter.per
    for update of counter;
  renewed_at := clock_timestamp();
  this_generation := hold_generation(renewed_at);
  with change as (
    select "ownerId" as owner_id, "counterMetric" as counter_metric, one.per, one.metric, time_zone,
      coalesce(sum(amount) filter (where one.generation < this_generation), 0) as added,
      coalesce(sum(amount) filter (where one.generation = this_generation - 1), 0) as moved,
      coalesce(sum(amount) filter (where one.generation < this_generation - 1), 0) as expired
    from json_to_recordset(holds) as one (
      "ownerId" uuid, "counterMetric" text, metric text, per text, generation bigint, since double precision, amount numeric
    )
    join limit_counters as counter
      on counter.owner_id = "ownerId" and counter.metric = "counterMetric" and counter.per = one.per
    join organizations on organizations.id = counter.organization_id
    where is_in_period(one.per, to_timestamp(since / 1000), renewed_at, time_zone)
    group by 1, 2, 3, 4, 5
  ), current as (
    select counter.owner_id, counter.metric, counter.per, change.added, change.moved, is_budget(counter.per) as is_budget,
      case when is_budget(counter.per) then budget_charged(counter, change.metric, renewed_at, time_zone) - change.expired
        else 0 end as charged,
      limit_estimated(counter, renewed_at, time_zone) - change.expired as estimated,
      is_in_period(counter.per, counter.level_at, renewed_at, time_zone) as is_current
    from change join limit_counters as counter
      on counter.owner_id = change.owner_id and counter.metric = change.counter_metric and counter.per = change.per
  )
  update limit_counters as counter
  set level = case when is_budget then current.charged else counter.level end,
    charged = current.charged,
    level_at = renewed_at,
    estimated = greatest(0, current.estimated),
    held = current.added + case when is_current and counter.held_generation >= this_generation then counter.held else 0 end,
    held_before = greatest(0, case when not is_current then 0
      when counter.held_generation >= this_generation then counter.held_before
      when counter.held_generation = this_generation - 1 then counter.held else 0 end - current.moved),
    held_generation = greatest(this_generation, counter.held_generation)
  from current
  where counter.owner_id = current.owner_id and counter.metric = current.metric and counter.per = current.per;
  return this_generation;
end
$$;

-- Settles requests that have ended. Takes JSON, see src/limits/settlements.ts:
-- - changes: what requests change in each counter that they were counted in: what they have held, what they have used, the
--   part of that which nothing reported, and what limits that refill have charged. `since` is when they were counted, in
--   milliseconds since 1970. Requests that are given back have used -1 of a budget.
-- - uses: what requests to each model have used, and in which counters they were counted. Budgets that were added in the
--   meantime are charged with it.
-- What belongs to an earlier period changes nothing. Rows are locked before they are joined, so joins needn't keep an order.
create function settle_amounts(settlements json) returns void language plpgsql set enable_hashjoin = on as $$
declare
  max_charge constant bigint := 9000000000000000000;
  changes json := settlements->'changes';
  added json;
  uses json := settlements->'uses';
  settled_at timestamptz;
  this_generation bigint;
  owner_ids uuid[];
  owners uuid[];
  metrics text[];
  counters text[];
  periods text[];
  all_models jsonb[];
  maxima bigint[];
  first_notices integer[];
  noted_owners uuid[];
  noted_counters text[];
  noted_periods text[];
begin
  select array_agg(distinct id) into owner_ids from (
    select "ownerId" as id from json_to_recordset(changes) as one ("ownerId" uuid)
    union all
    select unnest(array["keyId", "organizationId"]) from json_to_recordset(uses) as one ("keyId" uuid, "organizationId" uuid)
  ) as owner;
  select array_agg(def.owner_id), array_agg(def.metric), array_agg(def.counter_metric), array_agg(def.per),
    array_agg(def.models), array_agg(def.max), array_agg((def.notify_at->>0)::integer)
  into owners, metrics, counters, periods, all_models, maxima, first_notices
  from limit_definitions(owner_ids, owner_ids) as def;

  -- Nearly always, requests were counted in all budgets that there are, which this finds out faster.
  if exists (
    select owner_id, counter_metric, per
    from unnest(owners, metrics, counters, periods) as def (owner_id, metric, counter_metric, per)
    where is_budget(per) and metric in ('tokens', 'pages', 'cost')
    except select * from json_to_recordset(changes) as one ("ownerId" uuid, "counterMetric" text, per text)
  ) or (select count(*) > count(distinct "keyId") from json_to_recordset(uses) as use ("keyId" uuid)) then
    select json_agg(row_to_json(one)) into added from (
      select def.owner_id as "ownerId", def.counter_metric as "counterMetric", def.metric, def.per, since, amount as used,
        case when "isEstimated" then amount else 0 end as estimated
      from json_to_recordset(uses) as use (
        "keyId" uuid, "organizationId" uuid, model text, since double precision, known jsonb,
        tokens numeric, pages numeric, cost numeric, "isEstimated" boolean
      )
      cross join lateral (values ("keyId"), ("organizationId")) as owner (id)
      join unnest(owners, metrics, counters, periods, all_models) as def (owner_id, metric, counter_metric, per, models)
        on def.owner_id = owner.id
      cross join lateral (
        select case def.metric when 'tokens' then tokens when 'pages' then pages else cost end as amount
      ) as of_metric
      where is_budget(def.per) and def.metric in ('tokens', 'pages', 'cost')
        and not known ? (def.owner_id || ' ' || def.counter_metric || ' ' || def.per)
        and (def.models is null or def.models ? model)
    ) as one;
  end if;
  if added is not null then
    select json_agg(change) into changes from (
      select json_array_elements(changes) as change union all select json_array_elements(added)
    ) as one;
  end if;

  perform from json_to_recordset(changes) as one ("ownerId" uuid, "counterMetric" text, per text)
    join limit_counters as counter
      on counter.owner_id = "ownerId" and counter.metric = "counterMetric" and counter.per = one.per
    order by counter.owner_id, counter.metric, counter.per
    for update of counter;
  settled_at := clock_timestamp();
  this_generation := hold_generation(settled_at);
  with change as (
    select "ownerId" as owner_id, "counterMetric" as counter_metric, one.per, one.metric as limit_metric, time_zone, one.max,
      sum(case
        when is_budget(one.per) then used - case when one.generation < this_generation - 1 then one.held else 0 end
        -- A limit that was removed in the meantime starts unused when it's added again.
        when one.metric = 'concurrency' or one.max is null then 0
        when used >= one.charged then used - one.charged
        else -bucket_refund(one.per, one.max, one.charged::double precision, used::double precision,
          to_timestamp(since / 1000), settled_at)::numeric end) as level,
      sum(one.estimated
        - case when one.generation < this_generation - 1 and is_budget(one.per) then one.held else 0 end) as estimated,
      coalesce(sum(one.held) filter (where one.generation >= this_generation), 0) as released_now,
      coalesce(sum(one.held) filter (where one.generation = this_generation - 1), 0) as released_then
    from (
      -- Only limits that refill need their maximum.
      select *, case when not is_budget(per) and metric <> 'concurrency' then (
        select def.max from unnest(owners, counters, periods, maxima) as def (owner_id, counter_metric, def_per, max)
        where def.owner_id = "ownerId" and def.counter_metric = "counterMetric" and def_per = per
      ) end as max
      from json_to_recordset(changes) as listed (
        "ownerId" uuid, "counterMetric" text, metric text, per text, since double precision, generation bigint,
        held numeric, used numeric, estimated numeric, charged numeric
      )
    ) as one
    join limit_counters as counter
      on counter.owner_id = "ownerId" and counter.metric = "counterMetric" and counter.per = one.per
    join organizations on organizations.id = counter.organization_id
    where is_in_period(one.per, to_timestamp(since / 1000), settled_at, time_zone)
    group by 1, 2, 3, 4, 5, 6
  ), updated as (
    -- Their rows are locked, so they have the same values as in `change`.
    update limit_counters as counter
    set level = case when not is_budget(counter.per) then
          case when change.max is null or limit_metric = 'concurrency' then counter.level
            else greatest(0, bucket_level(counter.per, change.max, counter.level, counter.level_at, settled_at)
              + change.level::double precision) end
        when limit_metric = 'requests'
          then greatest(0, budget_charged(counter, limit_metric, settled_at, time_zone) + change.level)
        else least(budget_charged(counter, limit_metric, settled_at, time_zone) + change.level, max_charge) end,
      charged = case when limit_metric = 'cost'
        then least(budget_charged(counter, limit_metric, settled_at, time_zone) + change.level, max_charge) else 0 end,
      level_at = case when is_budget(counter.per) or change.max is not null then settled_at else counter.level_at end,
      estimated = greatest(0, limit_estimated(counter, settled_at, time_zone) + change.estimated),
      held = case when counter.held_generation < this_generation
          or not is_in_period(counter.per, counter.level_at, settled_at, time_zone) then 0
        else greatest(0, counter.held - change.released_now) end,
      held_before = case when not is_in_period(counter.per, counter.level_at, settled_at, time_zone) then 0
        else greatest(0, case when counter.held_generation >= this_generation then counter.held_before
          when counter.held_generation = this_generation - 1 then counter.held else 0 end - change.released_then) end,
      held_generation = greatest(this_generation, counter.held_generation)
    from change
    where counter.owner_id = change.owner_id and counter.metric = change.counter_metric and counter.per = change.per
    returning counter.owner_id, counter.metric, counter.per, counter.level
  )
  select array_agg(updated.owner_id), array_agg(updated.metric), array_agg(updated.per)
  into noted_owners, noted_counters, noted_periods
  from updated
  join unnest(owners, counters, periods, maxima, first_notices) as def (owner_id, counter_metric, per, max, notice)
    on def.owner_id = updated.owner_id and def.counter_metric = updated.metric and def.per = updated.per
  where is_budget(updated.per) and updated.level * 100 >= def.max::double precision * notice;

  if noted_owners is not null then
    perform note_thresholds(noted_owners, noted_counters, noted_periods);
  end if;
end
$$;
