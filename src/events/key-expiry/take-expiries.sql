-- Takes keys that expire in 7 days or in 1 day, or have expired, and whose latest event says something else. A key whose
-- lifetime is shorter has no such event.
--
-- In:
--   :batchSize  integer  keys to take
-- Out: a row for each key, the first to expire first.
--   id              uuid
--   organizationId  uuid
--   name, hint      text
--   expiresAt       timestamptz
--   daysBefore      smallint     7, 1, or 0 if it has expired
-- Locks: the keys, and their notices. Skips keys that others lock, such as another replica.
-- Example:
--   :batchSize = 100
--   returns 0199…, 0199…, Search indexer, kc_4fT9q, 2026-11-29 12:00:00+00, 1

with due as materialized (
  select api_keys.id, api_keys.organization_id, api_keys.name, hint, api_keys.expires_at, stage.days_before
  from organizations
  -- By organization, as the index is.
  join api_keys on api_keys.organization_id = organizations.id
    and api_keys.expires_at > now() - interval '30 days' and api_keys.expires_at <= now() + interval '7 days'
  cross join lateral (
    select case
      when api_keys.expires_at <= now() then 0
      when api_keys.expires_at <= now() + interval '1 day' then 1
      else 7
    end as days_before
  ) as stage
  left join expiry_notices as notice on notice.api_key_id = api_keys.id and notice.expires_at = api_keys.expires_at
  where organizations.id <> all ((select closed_organizations from database_identity)::uuid[])
    and coalesce(notice.days_before, 8) > stage.days_before
    and (stage.days_before = 0 or api_keys.created_at <= api_keys.expires_at - stage.days_before * interval '1 day')
  order by api_keys.expires_at, api_keys.id
  limit :batchSize::integer
  for update of api_keys skip locked
), noticed as (
  insert into expiry_notices as notice (api_key_id, expires_at, days_before)
  select id, expires_at, days_before from due
  on conflict (api_key_id) do update set expires_at = excluded.expires_at, days_before = excluded.days_before
    -- Another replica may have committed the same since this statement began.
    where notice.expires_at <> excluded.expires_at or notice.days_before > excluded.days_before
  returning api_key_id
)
select id, organization_id as "organizationId", name, hint, expires_at as "expiresAt", days_before as "daysBefore"
from due join noticed on noticed.api_key_id = due.id
order by expires_at, id
