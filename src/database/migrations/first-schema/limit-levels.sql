-- What limits, counters and reservations amount to at a time.

create or replace function limits_of(key_ids uuid[], organization_ids uuid[])
returns table (owner_id uuid, metric text, per text, max bigint) language sql stable as $$
  select owner.id, def.metric, def.per, def.max
  from (
    select id, limits from api_keys where id = any (key_ids) and limits is not null
    union all
    select id, limits from organizations where id = any (organization_ids) and limits is not null
  ) as owner
  cross join lateral jsonb_to_recordset(owner.limits) as def (metric text, per text, max bigint)
$$;

-- What a counter has reached at a time. Budgets start at zero with each UTC day or month. The others are GCRA in its
-- form as a continuous-state leaky bucket (ITU-T I.371, annex A): the level sinks by the maximum once per period.
create or replace function limit_level(
  per text, max bigint, level double precision, level_at timestamptz, at timestamptz
) returns double precision language sql stable as $$
  select case per
    when 'day' then case when level_at >= date_trunc('day', at, 'UTC') then level else 0 end
    when 'month' then case when level_at >= date_trunc('month', at, 'UTC') then level else 0 end
    else greatest(0, level - greatest(0, extract(epoch from at - level_at)::double precision) * max
      / case per when 'second' then 1 when 'minute' then 60 else 3600 end)
  end
$$;

-- Whether a budget's period hasn't changed since a time. The other limits have no periods.
create or replace function is_in_limit_period(per text, since timestamptz, at timestamptz) returns boolean
language sql stable as $$
  select case per when 'day' then since >= date_trunc('day', at, 'UTC')
    when 'month' then since >= date_trunc('month', at, 'UTC') else true end
$$;

-- Reservations belong to the 150 seconds in which they were made, and count in the next 150 as well. Then they have
-- expired, after at most five minutes.
create or replace function limit_generation(at timestamptz) returns bigint language sql stable as $$
  select floor(extract(epoch from at) / 150)::bigint
$$;

-- What running requests reserve of a budget. Reservations end with the period.
create or replace function limit_reserved(
  per text, reserved bigint, reserved_before bigint, generation bigint, level_at timestamptz, at timestamptz
) returns bigint language sql stable as $$
  select case when not is_in_limit_period(per, level_at, at) then 0
    else case when generation >= limit_generation(at) - 1 then reserved else 0 end
      + case when generation >= limit_generation(at) then reserved_before else 0 end end
$$;

-- The part of a refund that a refilled limit still holds: what has leaked away since it was charged can't be given
-- back, or it would be capacity out of nothing.
create or replace function limit_refund(
  per text, max bigint, charged double precision, used double precision, charged_at timestamptz, at timestamptz
) returns double precision language sql stable as $$
  select greatest(0, least(charged - used,
    charged - greatest(0, extract(epoch from at - charged_at)::double precision) * max
      / case per when 'second' then 1 when 'minute' then 60 else 3600 end))
$$;
