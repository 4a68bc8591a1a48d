-- Replaces the counters of an organization that arrives by those of the cell that it comes from.
--
-- In:
--   :organizationId  uuid
--   :counters        json  as read-counters.sql returns it
-- Out: nothing.
-- Locks: limit_counters of the organization, which no request uses yet.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :counters = '[]'
--   returns nothing

with replaced as (
  delete from limit_counters where organization_id = :organizationId::uuid
    and (owner_id, metric, per) not in (
      select "ownerId", counter, per from json_to_recordset(:counters::json) as new ("ownerId" uuid, counter text, per text)
    )
), states as (
  select *, clock_timestamp() as written_at,
    case when period is null or period = period_start(per, clock_timestamp(), "timeZone") then value else 0 end as current
  from json_to_recordset(:counters::json) as new (
    "ownerId" uuid, counter text, per text, metric text, "timeZone" text, value numeric, running bigint, period timestamptz,
    estimated double precision, noticed smallint, "noticedAt" timestamptz
  )
)
insert into limit_counters (
  owner_id, metric, per, organization_id, level, level_at, charged, held, held_before, held_generation, estimated, noticed,
  noticed_at
)
select "ownerId", counter, per, :organizationId::uuid, current::double precision, written_at,
  case metric when 'cost' then current::bigint else 0 end, running, 0, hold_generation(written_at), estimated, noticed,
  "noticedAt"
from states
on conflict (owner_id, metric, per) do update set level = excluded.level, level_at = excluded.level_at,
  charged = excluded.charged, held = excluded.held, held_before = 0, held_generation = excluded.held_generation,
  estimated = excluded.estimated, noticed = excluded.noticed, noticed_at = excluded.noticed_at
