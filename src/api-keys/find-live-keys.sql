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

select encode(hash, 'hex') as hash, id, organization_id,
  case when not is_believed then case when is_standby then 'standby' else 'lost' end when :needsName then name end as name,
  enabled and organization_id <> all (closed_organizations) as enabled, models, addresses,
  nullif(limits is not null or organization_limited, false) as is_limited, uses_previous,
  case when limits is not null or organization_limited then (
    select limits_digest(key.limits, case when organization_limited then organizations.limits end, time_zone)
    from organizations where organizations.id = organization_id
  ) end as limits_digest
-- Each node of a plan has to be prepared for each batch, so what both lookups return is listed once.
from server left join (
  -- Both use a unique index; the one for previous secrets contains only rotated keys. Expiry is compared with the current
  -- time, because now() would be the time before the query waited for a lock.
  select secret_hash as hash, id, organization_id, name, enabled, models, addresses, limits, organization_limited,
    null::boolean as uses_previous
  from api_keys
  where secret_hash = any(:hashes::bytea[]) and (expires_at is null or expires_at > clock_timestamp())
  union all
  select previous_secret_hash, id, organization_id, name, enabled, models, addresses, limits, organization_limited, true
  from api_keys
  where previous_secret_hash = any(:hashes::bytea[]) and previous_secret_expires_at > clock_timestamp()
) as key on is_believed
where hash is not null or not is_believed
