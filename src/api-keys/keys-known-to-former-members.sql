-- Finds the active API keys of an organization with a secret that a former member or a deleted service account knows. The
-- creation and each rotation of a key show its new secret, to the actor of their audit event.
--
-- Secrets that were replaced don't count, except the previous one in its grace period. Creators of keys that were never
-- rotated are also known without an event, which the retention task may have deleted.
--
-- Former members are few, and so are their keys. `offset 0` and `between` keep PostgreSQL from reading all keys and events:
-- for `=`, it would expect as many as the average creator has.
--
-- Two placeholders are conditions for the events and the keys. `true` chooses all.
--
-- In:
--   :organizationId  uuid         of the keys
-- Out: up to three rows for each key.
--   id               uuid         of the key
--   secret           text         the one they know: current, or previous in its grace period
--   left_at          timestamptz  when the membership ended or the service account was deleted
--   kind             text         user or service-account
--   former_name      text         of the member or service account when they left
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns 0199…, current, 2026-11-01 09:30:00+00, user, Grace Hopper

with former as materialized (
  select user_id as id, removed_at as left_at, 'user' as kind, name from former_members
  where organization_id = :organizationId
    and not exists (
      select from memberships
      where memberships.organization_id = :organizationId and memberships.user_id = former_members.user_id
    )
  union all
  select target_id, occurred_at, 'service-account', target_name from audit_events
  where organization_id = :organizationId and action = 'service-account.delete'
)

select active.id, secret, left_at, kind, former.name as former_name
from former
cross join lateral (
  select target_id, target_hint from audit_events
  where organization_id = :organizationId and actor_id between former.id and former.id
    and action in ('api-key.create', 'api-key.rotate') and {{shown_condition}}
  offset 0
) as shown
cross join lateral (
  select id, case when hint = shown.target_hint then 'current' else 'previous' end as secret from api_keys
  where api_keys.id = shown.target_id and organization_id = :organizationId
    and (hint = shown.target_hint or previous_secret_hint = shown.target_hint and previous_secret_expires_at > now())
    and enabled and (expires_at is null or expires_at > now())
  offset 0
) as active
union all
select active.id, 'current', left_at, kind, former.name
from former
cross join lateral (
  select id from api_keys
  where organization_id = :organizationId and created_by_id between former.id and former.id
    and rotated_at is null and enabled and (expires_at is null or expires_at > now()) and {{key_condition}}
  offset 0
) as active
