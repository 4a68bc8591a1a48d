-- Notes the percentages that limits have reached without a request, because they were changed or an increase has ended.
--
-- A request that started before a change is charged under the earlier limits, so it notes nothing. Limits are therefore
-- checked again until no such request can run. Organizations that are moving to another database aren't
-- checked; their checks move along.
--
-- In: nothing.
-- Out: one row.
--   count  integer  checked keys and organizations
--   noted  text     null
-- Locks:
--   The rows of limit_checks that it deletes, skipping those that another replica takes. Then the budgets of their owners, in
--   the order of their primary key (owner_id, metric, per), as requests do. Requests wait for the commit, so there are few.
-- Example:
--   returns 1, null

with chosen as materialized (
  select due_at, owner_id from limit_checks
  where due_at <= now() and organization_id <> all ((select closed_organizations from database_identity)::uuid[])
  order by due_at, owner_id limit {{batch_size}} for update skip locked
),

due as (
  delete from limit_checks as taken using chosen
  where taken.due_at = chosen.due_at and taken.owner_id = chosen.owner_id
  returning taken.*
),

-- After another change, the repeated checks start over.
owner as materialized (
  select owner_id, organization_id,
    case when bool_and(first_checked_at is not null) then max(first_checked_at) end as first_checked_at
  from due group by owner_id, organization_id
),

counter as materialized (
  select owner_id, metric, per, held + held_before as held from limit_counters
  where owner_id = any (array(select owner_id from owner)) and per in ('day', 'week', 'month')
  order by owner_id, metric, per
  for update
),

repeated as (
  insert into limit_checks (due_at, owner_id, organization_id, first_checked_at)
  select now() + interval '{{pause_seconds}} seconds', owner_id, organization_id, coalesce(first_checked_at, now())
  from owner
  -- Once for statements that had already read the earlier limits, then for running requests.
  where first_checked_at is null or (
    first_checked_at > now() - interval '{{longest_request_seconds}} seconds'
    and exists (select from counter where counter.owner_id = owner.owner_id and held > 0)
  )
  on conflict do nothing
)

select count(*)::integer as count, (
  select note_thresholds(array_agg(owner_id), array_agg(metric), array_agg(per))::text from counter having count(*) > 0
) as noted
from owner
