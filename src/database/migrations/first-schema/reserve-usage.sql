-- Reserves tokens and pages for requests, once their body and model are known.

-- Decides about requests in order. Budgets hold a reservation until the request is settled; the other limits charge
-- now, so that their rate holds. A request that doesn't fit a budget only because of reservations waits, and no later
-- one overtakes it: the counter remembers the longest-waiting requests for half a second after each of their attempts.
-- Returns JSON:
-- - at: milliseconds since 1970
-- - generation: of the reservations
-- - reserved: positions
-- - waiting: positions, each with the time since when
-- - limits: owner, metric, period, maximum, charged and reserved, afterwards
create or replace function reserve_usage(demands usage_demand[]) returns json language plpgsql as $$
declare
  tolerance constant double precision := 0.000001;
  reserved_at timestamptz;
  reserved_at_microseconds bigint;
  this_generation bigint;
  owners uuid[];
  metrics text[];
  periods text[];
  maxima bigint[];
  levels double precision[];
  reserved_now bigint[];
  reserved_then bigint[];
  estimates double precision[];
  all_waiters jsonb[];
  changed boolean[];
  reserved integer[] := '{}';
  waiting json[] := '{}';
  demand record;
  since bigint;
  amounts bigint[];
  charges bigint[];
  kind integer;
  i integer;
  is_budget boolean;
  fits boolean;
  waits boolean;
begin
  select array_agg(owner_id), array_agg(metric), array_agg(per), array_agg(max)
  into owners, metrics, periods, maxima
  from limits_of(
    (select array_agg(distinct key_id) from unnest(demands)),
    (select array_agg(distinct organization_id) from unnest(demands))
  );
  perform from unnest(owners, metrics, periods) as def (owner_id, metric, per)
    join limit_counters as counter using (owner_id, metric, per)
    where counter.metric <> 'requests'
    order by counter.owner_id, counter.metric, counter.per
    for update of counter;
  reserved_at := clock_timestamp();
  reserved_at_microseconds := extract(epoch from reserved_at) * 1000000;
  this_generation := limit_generation(reserved_at);
  select array_agg(counter.owner_id), array_agg(counter.metric), array_agg(counter.per), array_agg(def.max),
    array_agg(limit_level(counter.per, def.max, counter.level, counter.level_at, reserved_at)),
    array_agg(case
      when counter.generation >= this_generation and is_in_limit_period(counter.per, counter.level_at, reserved_at)
        then counter.reserved else 0 end),
    array_agg(case when not is_in_limit_period(counter.per, counter.level_at, reserved_at) then 0
      when counter.generation >= this_generation then counter.reserved_before
      when counter.generation = this_generation - 1 then counter.reserved else 0 end),
    array_agg(case when is_in_limit_period(counter.per, counter.level_at, reserved_at)
      then counter.estimated else 0 end),
    array_agg(case when counter.waiters = '{}' then '{}' else (
      select coalesce(jsonb_object_agg(live.key, live.value), '{}')
      from (
        select * from jsonb_each(counter.waiters)
        where value::bigint > reserved_at_microseconds - 500000 order by key::bigint limit 32
      ) as live
    ) end),
    array_agg(false)
  into owners, metrics, periods, maxima, levels, reserved_now, reserved_then, estimates, all_waiters, changed
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
    amounts := array[demand.tokens, demand.pages];
    charges := array[coalesce(demand.estimated_tokens, demand.tokens), coalesce(demand.estimated_pages, demand.pages)];
    -- Different for each request of a batch, so that they keep their order.
    since := coalesce(demand.waiting_since, reserved_at_microseconds + demand."position");
    fits := true;
    waits := false;
    foreach i in array demand.indexes loop
      kind := case metrics[i] when 'tokens' then 1 when 'pages' then 2 else 0 end;
      continue when kind = 0 or amounts[kind] = 0;
      is_budget := periods[i] in ('day', 'month');
      if is_budget then
        fits := amounts[kind] <= maxima[i] - levels[i] + tolerance;
        waits := waits or amounts[kind] > maxima[i] - levels[i] - reserved_now[i] - reserved_then[i] + tolerance
          or exists (select from jsonb_object_keys(all_waiters[i]) as other where other::bigint < since);
      elsif (case kind when 1 then demand.estimated_tokens else demand.estimated_pages end) is null then
        fits := amounts[kind] <= maxima[i] - levels[i] - reserved_now[i] - reserved_then[i] + tolerance;
      else
        fits := maxima[i] - levels[i] - reserved_now[i] - reserved_then[i] > tolerance;
      end if;
      exit when not fits;
    end loop;

    foreach i in array demand.indexes loop
      kind := case metrics[i] when 'tokens' then 1 when 'pages' then 2 else 0 end;
      continue when kind = 0 or amounts[kind] = 0;
      is_budget := periods[i] in ('day', 'month');
      if fits and not waits then
        changed[i] := true;
        if is_budget then reserved_now[i] := reserved_now[i] + amounts[kind];
        else levels[i] := levels[i] + charges[kind];
        end if;
      end if;
      if not is_budget then continue;
      elsif fits and waits and not demand.is_last_attempt then
        all_waiters[i] := all_waiters[i] || jsonb_build_object(since::text, reserved_at_microseconds);
        changed[i] := true;
      elsif all_waiters[i] ? since::text then
        all_waiters[i] := all_waiters[i] - since::text;
        changed[i] := true;
      end if;
    end loop;
    if fits and waits then waiting := waiting || json_build_array(demand."position", since);
    elsif fits then reserved := reserved || demand."position";
    end if;
  end loop;

  update limit_counters as counter
  set level = new.level, level_at = reserved_at, reserved = new.reserved_now, reserved_before = new.reserved_then,
    generation = this_generation, estimated = new.estimated, waiters = all_waiters[new.place]
  from unnest(owners, metrics, periods, levels, reserved_now, reserved_then, estimates, changed)
    with ordinality
    as new (owner_id, metric, per, level, reserved_now, reserved_then, estimated, changed, place)
  where new.changed and counter.owner_id = new.owner_id and counter.metric = new.metric and counter.per = new.per;

  return json_build_object(
    'at', extract(epoch from reserved_at) * 1000,
    'generation', this_generation,
    'reserved', to_json(reserved),
    'waiting', to_json(waiting),
    'limits', (
      select coalesce(json_agg(json_build_array(
        state.owner_id, state.metric, state.per, state.max, state.level, state.reserved_now + state.reserved_then
      )), '[]')
      from unnest(owners, metrics, periods, maxima, levels, reserved_now, reserved_then)
        as state (owner_id, metric, per, max, level, reserved_now, reserved_then)
    )
  );
end
$$;
