-- Finds the API keys of an organization with a secret that a former member or a deleted service account knows, the latest
-- departure first.
--
-- In:
--   :organizationId  uuid         of the keys
-- Out: up to five rows, none without such keys.
--   count            integer      such keys; 1,000 if there may be more
--   id               uuid         of the key
--   name             text         of the key
--   hint             text         first characters of the key
--   at               timestamptz  when the last of them left
--   until            timestamptz  when the previous secret expires, if it's the only one they know; otherwise null
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns 1, 0199…, Search indexer, kc_4fT9q, 2026-11-01 09:30:00+00, null

select count, id, name, hint, at, case when knows_current then null else previous_secret_expires_at end as until
from (
  select *, (count(*) over ())::integer as count
  from (
    select id, max(left_at) as at, bool_or(secret = 'current') as knows_current
    -- A key has up to three rows.
    from (
      select * from (
        {{include api-keys/keys-known-to-former-members.sql}}
      ) as known limit 3 * {{max_count}}
    ) as known
    group by id limit {{max_count}}
  ) as counted
  order by at desc, id limit {{max_named}}
) as found
join api_keys using (id)
order by at desc, id
