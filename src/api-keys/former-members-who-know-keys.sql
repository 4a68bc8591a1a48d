-- Finds the former members and deleted service accounts that know secrets of API keys that are still accepted. The same as
-- keys-known-to-former-members.sql, but from the keys to who received their secrets: lists of keys read it each time, and the
-- cost depends on these keys and on deleted service accounts, which are few, but not on how many members have left.
--
-- In:
--   :ids             uuid[]  of the keys
--   :organizationId  uuid    of the keys
-- Out: up to one row for each secret, because only one member or service account receives it.
--   id               uuid    of the key
--   secret           text    current or previous
--   kind             text    user or service-account
--   name             text    of the member or service account when they left
-- Locks: none.
-- Example:
--   :ids = '{01990000-0000-7000-8000-000000000001}'
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns 0199…, current, user, Grace Hopper

with active as materialized (
  select id, hint, rotated_at, created_by_id,
    case when previous_secret_expires_at > now() then previous_secret_hint end as previous_hint
  from api_keys
  where id = any(:ids::uuid[]) and organization_id = :organizationId
    and enabled and (expires_at is null or expires_at > now())
), shown as materialized (
  select active.id, secret, actor_id
  from active
  cross join lateral (
    select actor_id, case when target_hint = active.hint then 'current' else 'previous' end as secret from audit_events
    where organization_id = :organizationId and target_id = active.id
      and action in ('api-key.create', 'api-key.rotate') and target_hint in (active.hint, active.previous_hint)
    offset 0
  ) as event
  -- The creator of a key that was never rotated is known without reading its events.
  where created_by_id is null or rotated_at is not null
  union
  select id, 'current', created_by_id from active where created_by_id is not null and rotated_at is null
), deleted_accounts as materialized (
  select target_id as id, occurred_at, target_name from audit_events
  where organization_id = :organizationId and action = 'service-account.delete'
)

select distinct on (id, secret) id, secret, kind, former_name as name
from shown
cross join lateral (
  select removed_at as left_at, 'user' as kind, name as former_name from former_members
  where organization_id = :organizationId and user_id = shown.actor_id
    and not exists (
      select from memberships where memberships.organization_id = :organizationId and memberships.user_id = shown.actor_id
    )
  union all
  select occurred_at, 'service-account', target_name from deleted_accounts where deleted_accounts.id = shown.actor_id
) as former
order by id, secret, left_at desc
