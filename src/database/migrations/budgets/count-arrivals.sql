-- Counts requests that arrive, if a batch doesn't fit as a whole; see src/limits/admit-batch.sql.

-- Takes back what the same transaction has just counted, and counts requests one by one, in order: each of them if it
-- fits all limits of its key and its organization. Limits on models are only shown, because the model isn't known yet.
-- Returns JSON:
-- - at: milliseconds since 1970
-- - generation: of the holds
-- - admitted: positions
-- - limits: the type `LimitRow` in src/limits/admission.ts, afterwards
create function count_arrivals(
  owner_ids uuid[], counted_metrics text[], counted_periods text[], amounts bigint[], demands arrival_demand[]
) returns json language plpgsql as $$
declare
  -- Rounding errors must not reject a client that waited exactly as told.
  tolerance constant double precision := 0.000001;
  key_ids uuid[];
  organization_ids uuid[];
  counted_at timestamptz;
  this_generation bigint;
  owners uuid[];
  metrics text[];
  counters text[];
  periods text[];
  all_models jsonb[];
  maxima bigint[];
  zones text[];
  levels double precision[];
  held bigint[];
  first_notices integer[];
  counts integer[];
  admitted integer[] := '{}';
  demand record;
  fits boolean;
begin
  update limit_counters as counter
  set level = counter.level - case counter.metric when 'requests' then counted.amount else 0 end,
    held = counter.held - case counter.metric when 'concurrency' then counted.amount else 0 end
  from unnest(owner_ids, counted_metrics, counted_periods, amounts) as counted (owner_id, metric, per, amount)
  where counter.owner_id = counted.owner_id and counter.metric = counted.metric and counter.per = counted.per;

  -- In variables, because PostgreSQL plans the function anew for each call with other expressions.
  select array_agg(distinct key_id), array_agg(distinct organization_id) into key_ids, organization_ids from unnest(demands);
  select array_agg(def.owner_id), array_agg(def.metric), array_agg(def.counter_metric), array_agg(def.per),
    array_agg(def.models), array_agg(def.max), array_agg(def.time_zone),
    array_agg((def.notify_at->>0)::integer)
  into owners, metrics, counters, periods, all_models, maxima, zones, first_notices
  from limit_definitions(key_ids, organization_ids) as def;
  -- Not in one statement: after waiting for a lock, PostgreSQL repeats joins with single rows and may lose some.
  perform from unnest(owners, counters, periods) as def (owner_id, metric, per)
    join limit_counters as counter using (owner_id, metric, per)
    where counter.metric in ('requests', 'concurrency')
    order by counter.owner_id, counter.metric, counter.per
    for update of counter;
  counted_at := clock_timestamp();
  this_generation := hold_generation(counted_at);
  select array_agg(def.owner_id), array_agg(def.metric), array_agg(def.counter_metric), array_agg(def.per),
    array_agg(def.models), array_agg(def.max), array_agg(def.time_zone), array_agg(def.first_notice),
    array_agg(limit_charged(counter, def.metric, def.max, counted_at, def.time_zone)),
    array_agg(limit_held(counter.per, counter.held, counter.held_before, counter.held_generation, counter.level_at,
      counted_at, def.time_zone)),
    array_agg(0)
  into owners, metrics, counters, periods, all_models, maxima, zones, first_notices, levels, held, counts
  from unnest(owners, metrics, counters, periods, all_models, maxima, zones, first_notices)
    as def (owner_id, metric, counter_metric, per, models, max, time_zone, first_notice)
  join limit_counters as counter
    on counter.owner_id = def.owner_id and counter.metric = def.counter_metric and counter.per = def.per;

  for demand in
    with places as (
      select owner, array_agg(place) as indexes from unnest(owners) with ordinality as one (owner, place) group by owner
    )
    select each.*, coalesce(of_key.indexes, '{}') || coalesce(of_organization.indexes, '{}') as indexes
    from unnest(demands) as each
    left join places as of_key on of_key.owner = each.key_id
    left join places as of_organization on of_organization.owner = each.organization_id
    order by each."position"
  loop
    fits := true;
    for n in 1 .. cardinality(demand.indexes) loop
      continue when all_models[demand.indexes[n]] is not null;
      continue when not case metrics[demand.indexes[n]] when 'tokens' then demand.tokens when 'pages' then demand.pages
        when 'cost' then demand.tokens or demand.pages else true end;
      fits := maxima[demand.indexes[n]] - case metrics[demand.indexes[n]]
        when 'concurrency' then held[demand.indexes[n]] else levels[demand.indexes[n]] end >= 1 - tolerance;
      exit when not fits;
    end loop;
    continue when not fits;
    for n in 1 .. cardinality(demand.indexes) loop
      continue when all_models[demand.indexes[n]] is not null;
      case metrics[demand.indexes[n]]
        when 'requests' then levels[demand.indexes[n]] := levels[demand.indexes[n]] + 1;
        when 'concurrency' then held[demand.indexes[n]] := held[demand.indexes[n]] + 1;
        else continue;
      end case;
      counts[demand.indexes[n]] := counts[demand.indexes[n]] + 1;
    end loop;
    admitted := admitted || demand."position";
  end loop;

  update limit_counters as counter
  set level = case new.metric when 'requests' then new.level else counter.level end, level_at = counted_at,
    held = case when new.metric = 'requests' then counter.held
      when counter.held_generation >= this_generation then counter.held + new.count else new.count end,
    held_before = case when new.metric = 'requests' or counter.held_generation >= this_generation then counter.held_before
      when counter.held_generation = this_generation - 1 then counter.held else 0 end,
    held_generation = case new.metric when 'requests' then counter.held_generation
      else greatest(this_generation, counter.held_generation) end
  from unnest(owners, metrics, periods, all_models, levels, counts) as new (owner_id, metric, per, models, level, count)
  where new.count > 0 and new.models is null
    and counter.owner_id = new.owner_id and counter.metric = new.metric and counter.per = new.per;

  if array_remove(first_notices, null) <> '{}' then
    perform note_thresholds(array_agg(changed.owner_id), array_agg(changed.counter_metric), array_agg(changed.per))
    from unnest(owners, counters, periods, counts, first_notices) as changed (owner_id, counter_metric, per, count, first_notice)
    where changed.count > 0 and changed.first_notice is not null;
  end if;

  return json_build_object(
    'at', extract(epoch from counted_at) * 1000,
    'generation', this_generation,
    'admitted', to_json(admitted),
    'limits', (
      select coalesce(json_agg(json_build_array(
        state.owner_id, state.metric, state.per, state.max, state.level, state.held,
        period_end(state.per, counted_at, state.time_zone), state.models, state.counter_metric, state.first_notice
      )), '[]')
      from unnest(owners, metrics, periods, maxima, levels, held, zones, all_models, counters, first_notices)
        as state (owner_id, metric, per, max, level, held, time_zone, models, counter_metric, first_notice)
    )
  );
end
$$;
