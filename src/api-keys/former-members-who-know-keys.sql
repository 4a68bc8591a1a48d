-- Finds the former members and deleted service accounts that know secrets of API keys that are still accepted.
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

select distinct on (id, secret) id, secret, kind, former_name as name
from (
  {{include api-keys/keys-known-to-former-members.sql}}
) as known
where id = any(:ids::uuid[])
order by id, secret, left_at desc
