-- Renews what running requests reserve, and settles requests that have ended.

-- Moves reservations of running requests to the current generation, which it returns. Takes JSON: an array of objects
-- with keyId, organizationId, tokens, pages, generation and reservedAt.
create or replace function renew_reservations(reservations json) returns bigint language plpgsql as $$
declare
  renewed_at timestamptz;
  this_generation bigint;
  key_ids uuid[];
  organization_ids uuid[];
begin
  select array_agg(distinct "keyId"), array_agg(distinct "organizationId") into key_ids, organization_ids
  from json_to_recordset(reservations) as one ("keyId" uuid, "organizationId" uuid);
  perform from limits_of(key_ids, organization_ids) as def
    join limit_counters as counter using (owner_id, metric, per)
    where counter.metric <> 'requests' and counter.per in ('day', 'month')
    order by counter.owner_id, counter.metric, counter.per
    for update of counter;
  renewed_at := clock_timestamp();
  this_generation := limit_generation(renewed_at);
  with held as (
    select owner.id as owner_id, of_metric.metric, of_metric.amount, generation,
      to_timestamp("reservedAt" / 1000) as reserved_at
    from json_to_recordset(reservations) as one (
      "keyId" uuid, "organizationId" uuid, tokens bigint, pages bigint, generation bigint, "reservedAt" double precision
    )
    cross join lateral (values ("keyId"), ("organizationId")) as owner (id)
    cross join lateral (values ('tokens', tokens), ('pages', pages)) as of_metric (metric, amount)
  ), change as (
    select def.owner_id, def.metric, def.per, def.max,
      coalesce(sum(held.amount) filter (where held.generation < this_generation), 0) as added,
      coalesce(sum(held.amount) filter (where held.generation = this_generation - 1), 0) as removed
    from limits_of(key_ids, organization_ids) as def
    join held on held.owner_id = def.owner_id and held.metric = def.metric
    where def.per in ('day', 'month') and is_in_limit_period(def.per, held.reserved_at, renewed_at)
    group by 1, 2, 3, 4
  )
  update limit_counters as counter
  set level = limit_level(counter.per, change.max, counter.level, counter.level_at, renewed_at),
    level_at = renewed_at,
    reserved = change.added + case when counter.generation < this_generation
      or not is_in_limit_period(counter.per, counter.level_at, renewed_at) then 0 else counter.reserved end,
    reserved_before = greatest(0, case when not is_in_limit_period(counter.per, counter.level_at, renewed_at) then 0
      when counter.generation >= this_generation then counter.reserved_before
      when counter.generation = this_generation - 1 then counter.reserved else 0 end - change.removed),
    estimated = case when is_in_limit_period(counter.per, counter.level_at, renewed_at)
      then counter.estimated else 0 end,
    generation = this_generation
  from change
  where counter.owner_id = change.owner_id and counter.metric = change.metric and counter.per = change.per;
  return this_generation;
end
$$;

-- Settles requests that have ended. Takes JSON: an array of objects with
-- - keyId, organizationId
-- - countedAt: when the request was counted, in milliseconds since 1970, and isRefunded: whether it doesn't count
-- - reservedAt, generation: null without a reservation
-- - heldTokens, heldPages: what budgets reserve; chargedTokens, chargedPages: what the other limits have charged
-- - tokens, pages: what was used; null if that's unknown, and as much as was reserved is charged
-- What belongs to a budget's earlier period changes nothing.
create or replace function settle_requests(settlements json) returns void language plpgsql as $$
declare
  settled_at timestamptz;
  this_generation bigint;
  key_ids uuid[];
  organization_ids uuid[];
begin
  select array_agg(distinct "keyId"), array_agg(distinct "organizationId") into key_ids, organization_ids
  from json_to_recordset(settlements) as one ("keyId" uuid, "organizationId" uuid);
  perform from limits_of(key_ids, organization_ids) as def
    join limit_counters as counter using (owner_id, metric, per)
    order by counter.owner_id, counter.metric, counter.per
    for update of counter;
  settled_at := clock_timestamp();
  this_generation := limit_generation(settled_at);
  with ended as (
    select owner.id as owner_id, of_metric.*
    from json_to_recordset(settlements) as one (
      "keyId" uuid, "organizationId" uuid, "countedAt" double precision, "isRefunded" boolean,
      "reservedAt" double precision, generation bigint, "heldTokens" bigint, "heldPages" bigint,
      "chargedTokens" bigint, "chargedPages" bigint, tokens bigint, pages bigint
    )
    cross join lateral (values ("keyId"), ("organizationId")) as owner (id)
    cross join lateral (
      values
        ('requests', to_timestamp("countedAt" / 1000), null::bigint, 0, 1, case when "isRefunded" then 0 end::bigint),
        ('tokens', to_timestamp("reservedAt" / 1000), generation, "heldTokens", "chargedTokens", tokens),
        ('pages', to_timestamp("reservedAt" / 1000), generation, "heldPages", "chargedPages", pages)
    ) as of_metric (metric, since, generation, held, charged, used)
    where of_metric.since is not null and (of_metric.metric <> 'requests' or "isRefunded")
  ), change as (
    select def.owner_id, def.metric, def.per, def.max,
      sum(case when def.metric = 'requests' and def.per in ('day', 'month') then -1
        when def.per in ('day', 'month') then coalesce(ended.used, ended.held)
        when coalesce(ended.used, ended.charged) >= ended.charged
          then coalesce(ended.used, ended.charged) - ended.charged
        else -limit_refund(def.per, def.max, ended.charged, ended.used, ended.since, settled_at) end) as level,
      coalesce(sum(case when def.per in ('day', 'month') then ended.held else ended.charged end)
        filter (where ended.used is null), 0) as estimated,
      coalesce(sum(ended.held) filter (where ended.generation = this_generation), 0) as released_now,
      coalesce(sum(ended.held) filter (where ended.generation = this_generation - 1), 0) as released_then
    from limits_of(key_ids, organization_ids) as def
    join ended on ended.owner_id = def.owner_id and ended.metric = def.metric
    where is_in_limit_period(def.per, ended.since, settled_at)
    group by 1, 2, 3, 4
  ), current as (
    select counter.owner_id, counter.metric, counter.per, change.estimated, change.released_now, change.released_then,
      greatest(0, limit_level(counter.per, change.max, counter.level, counter.level_at, settled_at) + change.level)
        as level,
      is_in_limit_period(counter.per, counter.level_at, settled_at) as is_current
    from change join limit_counters as counter using (owner_id, metric, per)
  )
  update limit_counters as counter
  set level = current.level,
    level_at = settled_at,
    estimated = least(current.level, current.estimated + case when is_current then counter.estimated else 0 end),
    reserved = case when not is_current or counter.generation < this_generation then 0
      else greatest(0, counter.reserved - current.released_now) end,
    reserved_before = case when not is_current then 0
      else greatest(0, case when counter.generation >= this_generation then counter.reserved_before
        when counter.generation = this_generation - 1 then counter.reserved else 0 end - current.released_then) end,
    generation = this_generation
  from current
  where counter.owner_id = current.owner_id and counter.metric = current.metric and counter.per = current.per;
end
$$;
