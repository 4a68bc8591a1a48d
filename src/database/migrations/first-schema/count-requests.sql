-- Counts requests that arrive, if a batch doesn't fit as a whole; see src/limits/admit-batch.sql.

-- Takes back what the same transaction has just counted, and counts requests one by one, in order: each of them if it
-- fits all limits of its key and its organization. Returns JSON:
-- - at: milliseconds since 1970
-- - admitted: positions
-- - limits: owner, metric, period, maximum, charged and reserved, afterwards
create or replace function count_one_by_one(
  owner_ids uuid[], counted_periods text[], amounts bigint[], demands arrival_demand[]
) returns json language plpgsql as $$
declare
  -- Rounding errors must not reject a client that waited exactly as told.
  tolerance constant double precision := 0.000001;
  counted_at timestamptz;
  owners uuid[];
  metrics text[];
  periods text[];
  maxima bigint[];
  levels double precision[];
  reserved bigint[];
  counts integer[];
  admitted integer[] := '{}';
  demand record;
  fits boolean;
begin
  update limit_counters as counter set level = counter.level - counted.amount
  from unnest(owner_ids, counted_periods, amounts) as counted (owner_id, per, amount)
  where counter.owner_id = counted.owner_id and counter.metric = 'requests' and counter.per = counted.per;

  select array_agg(owner_id), array_agg(metric), array_agg(per), array_agg(max)
  into owners, metrics, periods, maxima
  from limits_of(
    (select array_agg(distinct key_id) from unnest(demands)),
    (select array_agg(distinct organization_id) from unnest(demands))
  );
  -- Not in one statement: after waiting for a lock, PostgreSQL repeats joins with single rows and may lose some.
  perform from unnest(owners, metrics, periods) as def (owner_id, metric, per)
    join limit_counters as counter using (owner_id, metric, per)
    where counter.metric = 'requests'
    order by counter.owner_id, counter.metric, counter.per
    for update of counter;
  counted_at := clock_timestamp();
  select array_agg(counter.owner_id), array_agg(counter.metric), array_agg(counter.per), array_agg(def.max),
    array_agg(limit_level(counter.per, def.max, counter.level, counter.level_at, counted_at)),
    array_agg(limit_reserved(counter.per, counter.reserved, counter.reserved_before, counter.generation,
      counter.level_at, counted_at)),
    array_agg(0)
  into owners, metrics, periods, maxima, levels, reserved, counts
  from unnest(owners, metrics, periods, maxima) as def (owner_id, metric, per, max)
  join limit_counters as counter using (owner_id, metric, per);

  for demand in
    with counters as (
      select owner, array_agg(place) as indexes from unnest(owners) with ordinality as one (owner, place) group by owner
    )
    select each.*, coalesce(of_key.indexes, '{}') || coalesce(of_organization.indexes, '{}') as indexes
    from unnest(demands) as each
    left join counters as of_key on of_key.owner = each.key_id
    left join counters as of_organization on of_organization.owner = each.organization_id
    order by each."position"
  loop
    fits := true;
    for n in 1 .. cardinality(demand.indexes) loop
      continue when not case metrics[demand.indexes[n]] when 'tokens' then demand.tokens when 'pages' then demand.pages
        else true end;
      fits := maxima[demand.indexes[n]] - levels[demand.indexes[n]] >= 1 - tolerance;
      exit when not fits;
    end loop;
    continue when not fits;
    for n in 1 .. cardinality(demand.indexes) loop
      continue when metrics[demand.indexes[n]] <> 'requests';
      levels[demand.indexes[n]] := levels[demand.indexes[n]] + 1;
      counts[demand.indexes[n]] := counts[demand.indexes[n]] + 1;
    end loop;
    admitted := admitted || demand."position";
  end loop;

  update limit_counters as counter set level = new.level, level_at = counted_at
  from unnest(owners, metrics, periods, levels, counts) as new (owner_id, metric, per, level, count)
  where new.count > 0 and counter.owner_id = new.owner_id and counter.metric = new.metric and counter.per = new.per;

  return json_build_object(
    'at', extract(epoch from counted_at) * 1000,
    'admitted', to_json(admitted),
    'limits', (
      select coalesce(json_agg(json_build_array(
        state.owner_id, state.metric, state.per, state.max, state.level, state.reserved
      )), '[]')
      from unnest(owners, metrics, periods, maxima, levels, reserved)
        as state (owner_id, metric, per, max, level, reserved)
    )
  );
end
$$;
