-- Reserves what requests can use, once their body and model are known.

-- The most output of each choice with which an amount fits: all of it if it fits as it is, and less than 0 if it can't.
--
-- step: what a token less of each choice saves, in fractions of a unit; 0 if nothing
-- fractions: how many fractions a unit has. The amount shrinks by whole units, so quotients must be exact.
create function output_that_fits(amount numeric, room numeric, output bigint, step numeric, fractions numeric) returns bigint
language sql immutable as $$
  select case when amount <= room then output when step <= 0 then -1
    else greatest(-1, output - div((amount - room) * fractions + step - 1, step))::bigint end
$$;

-- Decides about requests in order. Takes JSON: an array of objects, see src/limits/reserve-amounts.sql. Budgets hold what is
-- reserved until the request is settled; limits that refill charge now, so that their rate holds.
--
-- A request that doesn't fit a budget only because of what others hold waits, and no later one overtakes it: the counter
-- remembers the longest-waiting requests for half a second after each of their attempts. One that has waited long enough, or
-- couldn't get more by waiting, gets less output, if that's useful.
-- Returns JSON: the type `UsageDecisions` in src/limits/reservation-queries.ts
create function reserve_amounts(demands json) returns json language plpgsql as $$
declare
  tolerance constant double precision := 0.000001;
  -- Prices of output have 12 decimals more than costs.
  price_scale constant numeric := 1000000000000;
  key_ids uuid[];
  organization_ids uuid[];
  reserved_at timestamptz;
  reserved_at_microseconds bigint;
  this_generation bigint;
  owners uuid[];
  metrics text[];
  counters text[];
  periods text[];
  all_models jsonb[];
  maxima bigint[];
  zones text[];
  first_notices integer[];
  budgets boolean[];
  levels double precision[];
  charges bigint[];
  held_now bigint[];
  held_then bigint[];
  estimates double precision[];
  all_waiters jsonb[];
  changed boolean[];
  reserved json[] := '{}';
  waiting json[] := '{}';
  demand record;
  since bigint;
  i integer;
  amount numeric;
  step numeric;
  fractions numeric;
  wanted bigint;
  available bigint;
  granted bigint;
  is_rejected boolean;
  is_overtaking boolean;
begin
  -- In variables, because PostgreSQL plans the function anew for each call with other expressions.
  select array_agg(distinct "keyId"), array_agg(distinct "organizationId") into key_ids, organization_ids
  from json_to_recordset(demands) as one ("keyId" uuid, "organizationId" uuid);
  select array_agg(def.owner_id), array_agg(def.metric), array_agg(def.counter_metric), array_agg(def.per),
    array_agg(def.models), array_agg(def.max), array_agg(def.time_zone), array_agg((def.notify_at->>0)::integer)
  into owners, metrics, counters, periods, all_models, maxima, zones, first_notices
  from limit_definitions(key_ids, organization_ids) as def;
  perform from unnest(owners, counters, periods) as def (owner_id, metric, per)
    join limit_counters as counter using (owner_id, metric, per)
    where counter.metric not in ('requests', 'concurrency')
    order by counter.owner_id, counter.metric, counter.per
    for update of counter;
  reserved_at := clock_timestamp();
  reserved_at_microseconds := extract(epoch from reserved_at) * 1000000;
  this_generation := hold_generation(reserved_at);
  select array_agg(def.owner_id), array_agg(def.metric), array_agg(def.counter_metric), array_agg(def.per),
    array_agg(def.models), array_agg(def.max), array_agg(def.time_zone), array_agg(def.first_notice),
    array_agg(is_budget(def.per)),
    array_agg(case when is_budget(def.per) then 0
      else limit_charged(counter, def.metric, def.max, reserved_at, def.time_zone) end),
    array_agg(case when is_budget(def.per) then budget_charged(counter, def.metric, reserved_at, def.time_zone) else 0 end),
    array_agg(case when counter.held_generation >= this_generation
      and is_in_period(counter.per, counter.level_at, reserved_at, def.time_zone) then counter.held else 0 end),
    array_agg(case when not is_in_period(counter.per, counter.level_at, reserved_at, def.time_zone) then 0
      when counter.held_generation >= this_generation then counter.held_before
      when counter.held_generation = this_generation - 1 then counter.held else 0 end),
    array_agg(limit_estimated(counter, reserved_at, def.time_zone)),
    array_agg(case when counter.waiters = '{}' then '{}' else (
      select coalesce(jsonb_object_agg(live.key, live.value), '{}')
      from (
        select * from jsonb_each(counter.waiters)
        where value::bigint > reserved_at_microseconds - 500000 order by key::bigint limit 32
      ) as live
    ) end),
    array_agg(false)
  into owners, metrics, counters, periods, all_models, maxima, zones, first_notices,
    budgets, levels, charges, held_now, held_then, estimates, all_waiters, changed
  from unnest(owners, metrics, counters, periods, all_models, maxima, zones, first_notices)
    as def (owner_id, metric, counter_metric, per, models, max, time_zone, first_notice)
  join limit_counters as counter
    on counter.owner_id = def.owner_id and counter.metric = def.counter_metric and counter.per = def.per;

  for demand in
    with places as (
      select owner, array_agg(place) as indexes from unnest(owners) with ordinality as one (owner, place) group by owner
    )
    select each.*, coalesce(of_key.indexes, '{}') || coalesce(of_organization.indexes, '{}') as indexes
    from json_to_recordset(demands) as each (
      "position" integer, "keyId" uuid, "organizationId" uuid, model text, "countedModels" text[],
      tokens numeric, pages numeric, cost numeric, "estimatedTokens" numeric, "estimatedPages" numeric,
      output bigint, "leastOutput" bigint, choices bigint, "outputPrice" numeric,
      "waitingSince" bigint, "isLastAttempt" boolean
    )
    left join places as of_key on of_key.owner = each."keyId"
    left join places as of_organization on of_organization.owner = each."organizationId"
    order by each."position"
  loop
    -- Different for each request of a batch, so that they keep their order.
    since := coalesce(demand."waitingSince", reserved_at_microseconds + demand."position");
    -- What it gets if the others use nothing of what they hold, and what it can get now.
    wanted := demand.output;
    available := demand.output;
    is_rejected := false;
    is_overtaking := false;
    foreach i in array demand.indexes loop
      continue when all_models[i] is not null and not all_models[i] ? demand.model;
      if metrics[i] in ('requests', 'concurrency') then
        -- Without models, they were counted on arrival.
        continue when all_models[i] is null or all_models[i] ?| demand."countedModels";
        is_rejected := maxima[i] - case when metrics[i] = 'concurrency' then held_now[i] + held_then[i]
          when budgets[i] then charges[i] else levels[i] end < 1 - tolerance;
      else
        amount := case metrics[i] when 'tokens' then demand.tokens when 'pages' then demand.pages else demand.cost end;
        continue when amount = 0;
        if budgets[i] then
          step := case metrics[i] when 'tokens' then demand.choices when 'cost' then demand.choices * demand."outputPrice"
            else 0 end;
          fractions := case metrics[i] when 'cost' then price_scale else 1 end;
          wanted := least(wanted, output_that_fits(amount, maxima[i] - charges[i], demand.output, step, fractions));
          available := least(available,
            output_that_fits(amount, maxima[i] - charges[i] - held_now[i] - held_then[i], demand.output, step, fractions));
          -- Nearly always nobody waits, and a query would take longer than the rest.
          if all_waiters[i] <> '{}' then
            is_overtaking := is_overtaking
              or exists (select from jsonb_object_keys(all_waiters[i]) as other where other::bigint < since);
          end if;
        elsif (case metrics[i] when 'tokens' then demand."estimatedTokens" else demand."estimatedPages" end) is null then
          is_rejected := amount > maxima[i] - levels[i] + tolerance;
        else
          is_rejected := maxima[i] - levels[i] <= tolerance;
        end if;
      end if;
      exit when is_rejected;
    end loop;
    is_rejected := is_rejected or wanted < demand."leastOutput";
    granted := case when is_rejected or is_overtaking then null
      when available >= wanted then wanted
      when demand."isLastAttempt" and available >= demand."leastOutput" then available end;

    foreach i in array demand.indexes loop
      continue when all_models[i] is not null and not all_models[i] ? demand.model;
      if metrics[i] in ('requests', 'concurrency') then
        continue when granted is null or all_models[i] is null or all_models[i] ?| demand."countedModels";
        changed[i] := true;
        if metrics[i] = 'concurrency' then held_now[i] := held_now[i] + 1;
        elsif budgets[i] then charges[i] := charges[i] + 1;
        else levels[i] := levels[i] + 1;
        end if;
        continue;
      end if;
      amount := case metrics[i] when 'tokens' then demand.tokens when 'pages' then demand.pages else demand.cost end;
      continue when amount = 0;
      if granted is not null then
        changed[i] := true;
        amount := amount - case metrics[i] when 'tokens' then (demand.output - granted) * demand.choices
          when 'cost' then div((demand.output - granted) * demand.choices * demand."outputPrice", price_scale) else 0 end;
        if budgets[i] then held_now[i] := held_now[i] + amount;
        else levels[i] := levels[i]
          + least(amount, coalesce(case metrics[i] when 'tokens' then demand."estimatedTokens" else demand."estimatedPages" end, amount));
        end if;
      end if;
      if not budgets[i] then continue;
      elsif granted is null and not is_rejected and not demand."isLastAttempt" then
        all_waiters[i] := all_waiters[i] || jsonb_build_object(since::text, reserved_at_microseconds);
        changed[i] := true;
      elsif all_waiters[i] ? since::text then
        all_waiters[i] := all_waiters[i] - since::text;
        changed[i] := true;
      end if;
    end loop;
    if granted is not null then reserved := reserved || json_build_array(demand."position", granted);
    elsif not is_rejected then waiting := waiting || json_build_array(demand."position", since);
    end if;
  end loop;

  update limit_counters as counter
  set level = case when new.is_budget then new.charged else new.level end, charged = new.charged, level_at = reserved_at,
    held = new.held_now, held_before = new.held_then, held_generation = greatest(this_generation, counter.held_generation),
    estimated = new.estimated, waiters = all_waiters[new.place]
  from unnest(owners, counters, periods, budgets, levels, charges, held_now, held_then, estimates, changed)
    with ordinality
    as new (owner_id, metric, per, is_budget, level, charged, held_now, held_then, estimated, changed, place)
  where new.changed and counter.owner_id = new.owner_id and counter.metric = new.metric and counter.per = new.per;

  if exists (
    select from unnest(changed, budgets, charges, maxima, first_notices) as one (changed, is_budget, charged, max, notice)
    where one.changed and is_budget and charged::numeric * 100 >= one.max::numeric * notice
  ) then
    perform note_thresholds(owners, counters, periods);
  end if;

  return json_build_object(
    'at', extract(epoch from reserved_at) * 1000,
    'generation', this_generation,
    'reserved', to_json(reserved),
    'waiting', to_json(waiting),
    'limits', (
      select coalesce(json_agg(json_build_array(
        state.owner_id, state.metric, state.per, state.max,
        case when state.is_budget then state.charged::double precision else state.level end, state.held_now + state.held_then,
        period_end(state.per, reserved_at, state.time_zone), state.models, state.counter_metric, state.first_notice
      )), '[]')
      from unnest(owners, metrics, periods, maxima, budgets, charges, levels, held_now, held_then, zones, all_models, counters,
          first_notices)
        as state (owner_id, metric, per, max, is_budget, charged, level, held_now, held_then, time_zone, models, counter_metric,
          first_notice)
    )
  );
end
$$;
