-- Settles requests, if they were counted in all budgets and nothing else is to be settled.
--
-- Counters needn't get a new generation: expired holds are charged whenever a counter is read, so it's enough to take them back.
--
-- In:
--   known_budgets     relation  see known-budgets.sql
--   written           relation  written first, so that counters are locked only briefly
--   Arrays with an element for each counter:
--   :counterOwnerIds  uuid[]
--   :counterMetrics   text[]
--   :counterPeriods   text[]
--   :counterEnds      double precision[]  end of the requests' period in milliseconds since 1970; null for running requests
--   :generations      bigint[]            of what is held
--   :held             numeric[]           what the requests hold until now
--   :used             numeric[]           what they have used instead; -1 for a request that is given back
--   :estimated        numeric[]           the part of that which nothing reported
--   :noticeLevels     double precision[]  from which the limit may tell that a percentage was reached; null: it tells nothing
-- Out:
--   settled           relation  a row for each counter, with owner_id, metric, per, and is_noticed, boolean
-- Locks:
--   The counters, in the order of their primary key (owner_id, metric, per): they are sorted, and all joins are nested loops.
-- Example:
--   :counterOwnerIds = '{01990000-0000-7000-8000-000000000001}'
--   :counterMetrics = '{cost}'
--   :counterPeriods = '{month}'
--   :counterEnds = '{1796083200000}'
--   :generations = '{119722400}'
--   :held = '{5000000}'
--   :used = '{1200000}'
--   :estimated = '{0}'
--   :noticeLevels = '{null}'
--   with …, written as (…), {{include …}} select * from settled

change as materialized (
  select * from unnest(
    :counterOwnerIds::uuid[], :counterMetrics::text[], :counterPeriods::text[], :counterEnds::double precision[],
    :generations::bigint[], :held::numeric[], :used::numeric[], :estimated::numeric[], :noticeLevels::double precision[]
  ) as change (owner_id, metric, per, ends_at, generation, held, used, estimated, notice_level)
  order by owner_id, metric, per
),

-- The subquery is evaluated after waiting for a locked row, so the counter's columns are current.
settled as (
  update limit_counters as counter
  set (level, charged, estimated, held, held_before) = (
    select case when change.per = '' then counter.level else charged end,
      case when change.metric like 'cost%' then charged else 0 end,
      greatest(0, counter.estimated + (change.estimated - expired)::double precision),
      greatest(0, counter.held - case when counter.held_generation = change.generation then change.held else 0 end),
      greatest(0, counter.held_before - case when counter.held_generation = change.generation + 1 then change.held else 0 end)
    from (
      select expired, least(greatest(0, used - expired
        + case when change.metric like 'cost%' then counter.charged else counter.level::numeric end), 9000000000000000000) as charged
      from (
        -- What expired was charged when a later hold was added.
        select case when change.per <> '' and counter.held_generation > change.generation + 1 then change.held else 0 end as expired
        offset 0
      ) as hold
      offset 0
    ) as budget
  )
  from change
  where (select are_all from known_budgets) and (select count(*) >= 0 from written)
    and counter.owner_id = change.owner_id and counter.metric = change.metric and counter.per = change.per
    -- What belongs to an earlier period changes nothing.
    and (ends_at is null or counter.level_at < to_timestamp(ends_at / 1000))
  returning counter.owner_id, counter.metric, counter.per, counter.level >= change.notice_level as is_noticed
)
