-- Finds the secrets of API keys among reported ones, including those that were revoked after an earlier report.
--
-- In:
--   :hashes          bytea[]  SHA-256 of the secrets
-- Out: a row for each secret of a key.
--   hash             text     of the secret, hexadecimal
--   apiKeyId         uuid
--   organizationId   uuid
--   name             text     of the key; null if it was deleted long ago
--   secret           text     current or previous
--   exists           boolean  whether the key still has the secret
--   isEnabled        boolean  whether the key is enabled
--   isUnexpired      boolean  whether the secret hasn't expired
--   onLeak           text     what the organization does with leaked keys
--   places           integer  number of places where the secret was found before
-- Locks: none.
-- Example:
--   :hashes = '{"\\x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}'
--   returns 9f86…, 0199…, 0198…, Search indexer, current, true, true, true, disable, 0

with held as materialized (
  select secret_hash as hash, id, organization_id, name, 'current' as secret, true as is_held, enabled,
    coalesce(expires_at > clock_timestamp(), true) as is_unexpired
  from api_keys where secret_hash = any (:hashes::bytea[])
  union all
  select previous_secret_hash, id, organization_id, name, 'previous', true, enabled,
    previous_secret_expires_at > clock_timestamp()
  from api_keys where previous_secret_hash = any (:hashes::bytea[])
),

revoked as (
  select distinct on (report.secret_hash) report.secret_hash as hash, api_key_id as id, report.organization_id,
    coalesce(api_keys.name, deleted_api_keys.name) as name, secret, false as is_held, false as enabled, false as is_unexpired
  from leak_reports as report
  left join api_keys on api_keys.id = api_key_id
  left join deleted_api_keys on deleted_api_keys.id = api_key_id
  where report.secret_hash = any (:hashes::bytea[])
    and not exists (select from held where held.hash = report.secret_hash)
  order by report.secret_hash, reported_at
)

select encode(hash, 'hex') as hash, found.id as "apiKeyId", organization_id as "organizationId", found.name, secret,
  is_held as exists,  enabled as "isEnabled", is_unexpired as "isUnexpired", on_leak as "onLeak",
  (select count(*)::integer from leak_reports where secret_hash = hash) as places
from (select * from held union all select * from revoked) as found
join organizations on organizations.id = organization_id and organizations.deleted_at is null
where not exists (
  select from organization_moves as move
  where move.organization_id = organizations.id and move.direction = 'out' and move.state in ('draining', 'moved')
)
