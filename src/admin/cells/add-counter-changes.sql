-- Adds what has changed in the counters of a cell that an organization has left, since they were last added: requests that
-- still ran there have released what they didn't use.
--
-- In:
--   :organizationId  uuid
--   :counters        json    as read-counters.sql returns it
--   :before          json    the same, as it was last added
--   :generation      bigint  the generation of holds when it was
-- Out: one row.
--   generation  text  the present one
-- Locks: limit_counters that have changed.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :counters = '[]'
--   :before = '[]'
--   :generation = 119722400
--   returns 119722401

with clock as materialized (
  select clock_timestamp() as at, hold_generation(clock_timestamp()) as generation
), change as (
  select new.*, old.running as was_running, clock.at as added_at, clock.generation,
    case
      when new.metric = 'concurrency' then 0
      -- What a budget has charged in an earlier period doesn't count any more.
      when is_budget(new.per) then case when new.period = old.period then new.value - old.value else 0 end
      else new.value - bucket_level(
        new.per, new.max, old.value::double precision, to_timestamp(old.at), to_timestamp(new.at)
      )::numeric
    end as difference
  from clock, json_to_recordset(:counters::json) as new (
    "ownerId" uuid, counter text, per text, metric text, max bigint, "timeZone" text, value numeric, running bigint,
    period timestamptz, at double precision
  )
  join json_to_recordset(:before::json) as old (
    "ownerId" uuid, counter text, per text, value numeric, running bigint, period timestamptz, at double precision
  ) using ("ownerId", counter, per)
), wanted as (
  select change.* from change join limit_counters as counter
    on counter.owner_id = "ownerId" and counter.metric = change.counter and counter.per = change.per
  where counter.organization_id = :organizationId::uuid and (
    change.metric = 'concurrency' and (running > 0 or was_running > 0)
    or difference <> 0 and (
      not is_budget(change.per)
      or change.period = period_start(change.per, added_at, "timeZone")
        and is_in_period(change.per, counter.level_at, added_at, "timeZone")
    )
  )
  order by counter.owner_id, counter.metric, counter.per
  for update of counter
), added as (
  update limit_counters as counter
  set level = greatest(0, case
      when wanted.metric = 'concurrency' then counter.level
      when is_budget(counter.per) then counter.level + difference::double precision
      else bucket_level(counter.per, wanted.max, counter.level, counter.level_at, added_at) + difference::double precision
    end),
    charged = case when wanted.metric = 'cost' then greatest(0, counter.charged + difference::bigint) else counter.charged end,
    level_at = case when wanted.metric = 'concurrency' or is_budget(counter.per) then counter.level_at else added_at end,
    -- Like the function renew_holds: holds are those of the present generation, and of the one before.
    held = case when wanted.metric <> 'concurrency' then counter.held
      else running + greatest(0, case when counter.held_generation >= wanted.generation then counter.held else 0 end
        - case when :generation::bigint = wanted.generation then was_running else 0 end) end,
    held_before = case when wanted.metric <> 'concurrency' then counter.held_before
      else greatest(0, case when counter.held_generation >= wanted.generation then counter.held_before
        when counter.held_generation = wanted.generation - 1 then counter.held else 0 end
        - case when :generation::bigint = wanted.generation - 1 then was_running else 0 end) end,
    held_generation = case when wanted.metric <> 'concurrency' then counter.held_generation
      else greatest(wanted.generation, counter.held_generation) end
  from wanted
  where counter.owner_id = "ownerId" and counter.metric = wanted.counter and counter.per = wanted.per
  returning 1
)
select generation::text as generation from clock, (select count(*) from added) as done
