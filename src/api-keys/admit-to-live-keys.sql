-- Finds the keys that the secrets of a batch of requests belong to, as find-live-keys.sql does, and decides in the same
-- statement about the requests with limits.
--
-- In: arrays with an element for each pair of secret and client address in the batch, and three single values.
--   :hashes          bytea[]   SHA-256 of the secrets
--   :addresses       text[]    canonical IP addresses of the clients; null if a client has none
--   :requests        bigint[]  number of requests
--   :tokens          bigint[]  how many of them will use tokens
--   :pages           bigint[]  how many of them will use pages
--   :demands         text[]    JSON: [position in the batch, tokens, pages] of each, the last two 0 or 1
--   :expectsFit      boolean   see admit-batch.sql
--   :beat            bigint    see believed-server.sql
--   :token           uuid      see believed-server.sql
-- Out: a row for each element whose key was found, and if any of them has limits, a last row with the decisions and an
-- empty hash. A server that isn't believed returns one row without a hash instead.
--   hash             text      of the secret, hexadecimal
--   id               uuid      of the key
--   organization_id  uuid
--   name             text      without a hash, the reason: `standby` or `lost`
--   enabled          boolean   false, too, while the organization is moving
--   models           text[]    null: all
--   addresses        text[]    null: all
--   is_limited       boolean   true if the key or its organization has limits, otherwise null
--   uses_previous    boolean   true if the secret is from before the last rotation, otherwise null
--   limits_digest    text      see find-live-keys.sql
--   decisions        json      the type `Decisions` in limits/admission.ts
-- Locks: see admit-batch.sql.
-- Example:
--   :hashes = '{"\\x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}'
--   :addresses = '{"192.0.2.1"}'
--   :requests = '{2}'
--   :tokens = '{1}'
--   :pages = '{0}'
--   :demands = '{"[[0,1,0],[1,0,0]]"}'
--   :expectsFit = true
--   :beat = null
--   :token = null
--   returns 9f86…, 0199…, 0198…, Search, true, null, null, true, null, null
--   and '', null, …, {"at": 1795836000000, "admitted": null, "generation": …, "limits": [["0199…", "requests", "minute", …]]}

with {{include api-keys/believed-server.sql}},

live as materialized (
  select encode(demand.hash, 'hex') as hash, key.id, key.organization_id, key.name,
    key.enabled and key.organization_id <> all ((select closed_organizations from server)::uuid[]) as enabled,
    key.models, key.addresses,
    key.limits, case when key.organization_limited then organization.limits end as organization_limits, time_zone,
    uses_previous, address, requests, tokens, pages, demands
  from unnest(:hashes::bytea[], :addresses::text[], :requests::bigint[], :tokens::bigint[], :pages::bigint[], :demands::text[])
    as demand (hash, address, requests, tokens, pages, demands)
  cross join lateral (
    select *, null::boolean as uses_previous
    from api_keys where secret_hash = demand.hash and (expires_at is null or expires_at > clock_timestamp())
    union all
    select *, true from api_keys where previous_secret_hash = demand.hash and previous_secret_expires_at > clock_timestamp()
  ) as key
  left join lateral (
    select limits, time_zone from organizations
    where (key.limits is not null or key.organization_limited) and organizations.id = key.organization_id
  ) as organization on true
  where (select is_believed from server)
),

-- Without disabled keys, and those that may not be used from the client's address: they count no requests.
demanding as materialized (
  select * from live
  where enabled and (limits is not null or organization_limits is not null)
    and (addresses is null or address::inet <<= any (addresses::inet[]))
),

{{include limits/admit-batch.sql}}

select hash, id, organization_id, name, enabled, models, addresses,
  nullif(limits is not null or organization_limits is not null, false) as is_limited, uses_previous,
  case when limits is not null or organization_limits is not null
    then limits_digest(limits, organization_limits, time_zone) end as limits_digest,
  null::json as decisions
from live
union all
select null, null, null, case when is_standby then 'standby' else 'lost' end, null, null, null, null, null, null, null
from server where not is_believed
union all
select '', null, null, null, null, null, null, null, null, null, decisions from decided
