-- What limits, counters and holds amount to at a time.

-- The limits of keys and organizations, with the increases that apply now.
create function limit_definitions(key_ids uuid[], organization_ids uuid[])
returns table (
  owner_id uuid, metric text, counter_metric text, per text, models jsonb, max bigint, notify_at jsonb, time_zone text
) language sql stable as $$
  select owner.id, def.metric, def.metric || coalesce(def.models::text, ''), coalesce(def.per, ''), def.models,
    def.max + case when (def.increase->>'until')::timestamptz > now() then (def.increase->>'by')::bigint else 0 end,
    def."notifyAt", owner.time_zone
  from (
    select api_keys.id, api_keys.limits, time_zone
    from api_keys join organizations on organizations.id = organization_id
    where api_keys.id = any (key_ids) and api_keys.limits is not null
    union all
    select id, limits, time_zone from organizations where id = any (organization_ids) and limits is not null
  ) as owner
  cross join lateral jsonb_to_recordset(owner.limits)
    as def (metric text, per text, max bigint, models jsonb, increase jsonb, "notifyAt" jsonb)
$$;

create function is_budget(per text) returns boolean language sql immutable as $$
  select per in ('day', 'week', 'month')
$$;

-- The time of a clock in a zone. If it was set back, the first of two, with which a day begins where that happens at
-- midnight.
create function first_time(wall_time timestamp, time_zone text) returns timestamptz language sql stable as $$
  select case when (later - interval '1 hour') at time zone time_zone = wall_time then later - interval '1 hour' else later end
  from (select wall_time at time zone time_zone as later) as clock
$$;

-- When a budget's period began.
create function period_start(per text, at timestamptz, time_zone text) returns timestamptz language sql stable as $$
  select case time_zone when 'UTC' then date_trunc(per, at, 'UTC')
    else first_time(date_trunc(per, at at time zone time_zone), time_zone) end
$$;

-- Differs if limits or the time zone do. Null if a limit may change by itself.
create function limits_digest(own_limits jsonb, organization_limits jsonb, time_zone text) returns text language sql stable as $$
  select case when concat(own_limits, organization_limits) !~ '"increase"'
    then md5(concat(own_limits, '|', organization_limits, '|', time_zone)) end
$$;

-- When a budget's period ends, in milliseconds since 1970; null for other limits.
create function period_end(per text, at timestamptz, time_zone text) returns double precision language sql stable as $$
  select case when per not in ('day', 'week', 'month') then null
    when time_zone = 'UTC' then extract(epoch from date_trunc(per, at at time zone 'UTC') + ('1 ' || per)::interval)
    else extract(epoch from first_time(date_trunc(per, at at time zone time_zone) + ('1 ' || per)::interval, time_zone))
  end::double precision * 1000
$$;

-- Whether a budget's period hasn't changed since a time. The other limits have no periods.
create function is_in_period(per text, since timestamptz, at timestamptz, time_zone text) returns boolean
language sql stable as $$
  select case when per in ('day', 'week', 'month') then since >= period_start(per, at, time_zone) else true end
$$;

-- What a limit that refills has reached at a time. GCRA in its form as a continuous-state leaky bucket (ITU-T I.371, annex
-- A): the level sinks by the maximum once per period.
create function bucket_level(
  per text, max bigint, level double precision, level_at timestamptz, at timestamptz
) returns double precision language sql stable as $$
  select greatest(0, level - greatest(0, extract(epoch from at - level_at)::double precision) * max
    / case per when 'second' then 1 when 'minute' then 60 else 3600 end)
$$;

-- What requests have reached at a time.
create function requests_level(
  per text, max bigint, level double precision, level_at timestamptz, at timestamptz, time_zone text
) returns double precision language sql stable as $$
  select case when per not in ('day', 'week', 'month') then bucket_level(per, max, level, level_at, at)
    when level_at >= period_start(per, at, time_zone) then level else 0 end
$$;

-- Holds belong to the 15 seconds in which they were made or renewed, and count in the next 15 as well. Then they have
-- expired: the replica of their requests has been killed, or can't reach the database.
create function hold_generation(at timestamptz) returns bigint language sql stable as $$
  select floor(extract(epoch from at) / 15)::bigint
$$;

-- The part of a hold that counts in a generation.
create function live_hold(held bigint, held_before bigint, held_generation bigint, generation bigint) returns bigint
language sql immutable as $$
  select case when held_generation >= generation then held + held_before
    when held_generation = generation - 1 then held else 0 end
$$;

-- What running requests hold of a budget, or their number. Holds of a budget end with its period.
create function limit_held(
  per text, held bigint, held_before bigint, held_generation bigint, level_at timestamptz, at timestamptz, time_zone text
) returns bigint language sql stable as $$
  select case when is_in_period(per, level_at, at, time_zone)
    then live_hold(held, held_before, held_generation, hold_generation(at)) else 0 end
$$;

-- What a budget has been charged at a time. Nobody knows what the requests of expired holds have used, so they are charged
-- what they held.
create function budget_charged(
  counter limit_counters, budget_metric text, at timestamptz, time_zone text
) returns bigint language sql stable as $$
  select case when counter.level_at < period_start(counter.per, at, time_zone) then 0
    else case budget_metric when 'cost' then counter.charged else round(counter.level)::bigint end
      + counter.held + counter.held_before
      - live_hold(counter.held, counter.held_before, counter.held_generation, hold_generation(at)) end
$$;

-- What a limit has reached at a time, to show it.
create function limit_charged(
  counter limit_counters, limit_metric text, max bigint, at timestamptz, time_zone text
) returns double precision language sql stable as $$
  select case when limit_metric = 'concurrency' then 0
    when is_budget(counter.per) then budget_charged(counter, limit_metric, at, time_zone)::double precision
    else bucket_level(counter.per, max, counter.level, counter.level_at, at) end
$$;

-- The part of a charge that nothing reported.
create function limit_estimated(counter limit_counters, at timestamptz, time_zone text) returns double precision
language sql stable as $$
  select case when not is_in_period(counter.per, counter.level_at, at, time_zone) then 0
    when is_budget(counter.per) then counter.estimated + counter.held + counter.held_before
      - live_hold(counter.held, counter.held_before, counter.held_generation, hold_generation(at))
    else counter.estimated end
$$;

-- The part of a refund that a refilled limit still holds: what has leaked away since it was charged can't be given
-- back, or it would be capacity out of nothing.
create function bucket_refund(
  per text, max bigint, charged double precision, used double precision, charged_at timestamptz, at timestamptz
) returns double precision language sql stable as $$
  select greatest(0, least(charged - used,
    charged - greatest(0, extract(epoch from at - charged_at)::double precision) * max
      / case per when 'second' then 1 when 'minute' then 60 else 3600 end))
$$;
