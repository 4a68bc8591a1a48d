-- Finds the members of an organization who have never signed in, with those who joined first.
--
-- Signing in isn't stored, but opens a session and records an event in one of the user's organizations. Sessions end,
-- and old events may be deleted, so accounts from before the oldest event that is kept are left out.
--
-- In:
--   :organizationId  uuid         of the members
--   :loggedDays      integer      how long events are kept; null: forever
-- Out: up to five rows, none if all have signed in.
--   count            integer      such members
--   id               uuid         of the membership
--   name             text         of the user
--   at               timestamptz  when they joined
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :loggedDays = null
--   returns 1, 0199…, Ada Lovelace, 2026-11-01 09:30:00+00

select (count(*) over ())::integer as count, memberships.id, users.name, memberships.created_at as at
from memberships join users on users.id = user_id
where memberships.organization_id = :organizationId
  and (:loggedDays::integer is null or users.created_at > now() - :loggedDays::integer * interval '1 day')
  and not exists (select from sessions where sessions.user_id = users.id)
  and not exists (
    select from memberships as own
    join audit_events as event on event.organization_id = own.organization_id and event.actor_id = users.id
    where own.user_id = users.id and event.action in ('sign-in', 'invitation.accept')
  )
order by memberships.created_at, memberships.id
limit {{max_named}}
