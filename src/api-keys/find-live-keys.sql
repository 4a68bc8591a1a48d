-- Finds the keys that secrets belong to, unless they have expired.
--
-- In:
--   :hashes          bytea[]  SHA-256 of the secrets, each once
--   :needsName       boolean  whether to return names
--   :beat            bigint   see believed-server.sql
--   :token           uuid     see believed-server.sql
-- Out: a row for each key that was found. A server that isn't believed returns one row without a hash instead.
--   hash             text     of the secret, hexadecimal
--   id               uuid     of the key
--   organization_id  uuid
--   name             text     null unless needed; without a hash, the reason: `standby` or `lost`
--   enabled          boolean  false, too, while the organization is moving
--   models           text[]   null: all
--   addresses        text[]   null: all
--   is_limited       boolean  true if the key or its organization has limits, otherwise null
--   uses_previous    boolean  true if the secret is from before the last rotation, otherwise null
--   limits_digest    text     of its limits, those of its organization, and its time zone; null without limits, and while some
--                             may change by themselves
-- Locks: none.
-- Example:
--   :hashes = '{"\\x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}'
--   :needsName = true
--   :beat = null
--   :token = null
--   returns 9f86…, 0199…, 0198…, Search, true, null, null, null, null, null

with {{include api-keys/believed-server.sql}}
-- Both lookups use a unique index; the one for previous secrets contains only rotated keys. Expiry is compared with the
-- current time, because now() would be the time before the query waited for a lock.
select encode(secret_hash, 'hex') as hash, id, organization_id, case when :needsName then name end as name,
  enabled and organization_id <> all ((select closed_organizations from server)::uuid[]) as enabled, models, addresses, nullif(limits is not null or organization_limited, false) as is_limited, null::boolean as uses_previous,
  case when limits is not null or organization_limited then (
    select limits_digest(api_keys.limits, case when organization_limited then organizations.limits end, time_zone)
    from organizations where organizations.id = organization_id
  ) end as limits_digest
from api_keys
where secret_hash = any(:hashes::bytea[]) and (expires_at is null or expires_at > clock_timestamp())
  and (select is_believed from server)
union all
select encode(previous_secret_hash, 'hex') as hash, id, organization_id, case when :needsName then name end as name,
  enabled and organization_id <> all ((select closed_organizations from server)::uuid[]) as enabled, models, addresses, nullif(limits is not null or organization_limited, false) as is_limited,
  true as uses_previous,
  case when limits is not null or organization_limited then (
    select limits_digest(api_keys.limits, case when organization_limited then organizations.limits end, time_zone)
    from organizations where organizations.id = organization_id
  ) end as limits_digest
from api_keys
where previous_secret_hash = any(:hashes::bytea[]) and previous_secret_expires_at > clock_timestamp()
  and (select is_believed from server)
union all
select null, null, null, case when is_standby then 'standby' else 'lost' end, null, null, null, null, null, null
from server where not is_believed
