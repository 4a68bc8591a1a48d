-- Finds the former members and deleted service accounts that know a secret of an API key that is still accepted.
--
-- In:
--   :id              uuid  of the key
--   :organizationId  uuid  of the key
-- Out: up to one row for each secret, because only one member or service account receives it.
--   secret           text  current or previous
--   kind             text  user or service-account
--   name             text  of the member or service account when they left
-- Locks: none.
-- Example:
--   :id = '01990000-0000-7000-8000-000000000001'
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns current, user, Grace Hopper

select distinct on (secret) secret, kind, former_name as name
from (
  {{include api-keys/keys-known-to-former-members.sql}}
) as known
order by secret, left_at desc
