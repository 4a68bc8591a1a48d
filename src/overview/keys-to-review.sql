-- Finds the API keys of an organization that leaked, expire soon or aren't used, with the most urgent of each kind.
--
-- Last uses have no index, because each request would write to it. Unused keys are searched from the oldest one, until
-- there are enough.
--
-- In:
--   :organizationId  uuid         of the keys
-- Out: up to five rows for each kind that has keys.
--   kind             text         leaked-keys, expiring-keys or unused-keys
--   count            integer      keys of this kind; 1,000 if there may be more
--   id               uuid         of the key
--   name             text         of the key
--   hint             text         first characters of the key
--   at               timestamptz  when it leaked, expires, or was last used or created
--   isDisabled       boolean      whether a leaked key is disabled; null for other kinds. Enabled ones are first.
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns expiring-keys, 1, 0199…, Search indexer, kc_4fT9q, 2026-12-01 00:00:00+00, null

with clock as materialized (
  select clock_timestamp() as time
),

leaked as (
  select id, leaked_at as at, not enabled as is_disabled from api_keys
  where organization_id = :organizationId
    and leaked_secret is not null
    and (leaked_secret = 'current' or previous_secret_expires_at > (select time from clock))
  order by leaked_at desc, id desc limit {{max_count}}
),

expiring as (
  select id, expires_at as at, null::boolean as is_disabled from api_keys
  where organization_id = :organizationId and enabled and not delete_when_expired
    and expires_at > (select time from clock) and expires_at <= (select time + interval '7 days' from clock)
  order by expires_at, id limit {{max_count}}
),

unused as (
  select id, coalesce(last_used_at, created_at) as at, null::boolean as is_disabled from api_keys
  where organization_id = :organizationId and enabled
    and created_at <= (select time - interval '90 days' from clock)
    and (last_used_at is null or last_used_at <= (select time - interval '90 days' from clock))
    and (expires_at is null or expires_at > (select time from clock))
  order by created_at, id limit {{max_count}}
)

select found.kind, found.count, id, name, hint, found.at, is_disabled as "isDisabled"
from (
  (select 'leaked-keys' as kind, (count(*) over ())::integer as count, * from leaked
   order by is_disabled, at desc, id limit {{max_named}})
  union all
  (select 'expiring-keys', (count(*) over ())::integer, * from expiring order by at, id limit {{max_named}})
  union all
  (select 'unused-keys', (count(*) over ())::integer, * from unused order by at, id limit {{max_named}})
) as found
join api_keys using (id)
order by kind, is_disabled,
  case kind when 'leaked-keys' then -extract(epoch from found.at) else extract(epoch from found.at) end, id
