-- Adds requests to the usage of the current hour, and updates when their keys were last used.
--
-- `last_used_at` and the IP address change at most once a second, or twice while both secrets of a rotated key are used:
-- a busy current secret must not hide uses of the previous one. A request that ends after its secret was revoked doesn't
-- update `previous_secret_last_used_at`, unless another rotation has made a new previous secret in the meantime: it then counts
-- as a use of that one. Usage of deleted organizations is ignored. The placeholder `condition` is SQL: whether usage is written.
--
-- In: sums of requests by organization, key, model and latency bucket, as arrays with an element for each sum; the keys
--   that were used, as arrays with an element for each.
--   :organizationIds  uuid[]
--   :apiKeyIds        uuid[]
--   :models           text[]
--   :latencyBuckets   smallint[]  see `latencyBucketOf`
--   :requests         bigint[]    number of requests
--   :failures         bigint[]    how many of them failed
--   :limited          bigint[]    number of requests that a limit rejected, which count nowhere else
--   :{{columns.name}}  bigint[]    amount of this meter, number of requests with a price, or cost in billionths
--   :microseconds     bigint[]    total duration
--   :usedKeyIds       uuid[]      the keys that were used
--   :addresses        text[]      IP address of their last request; null if unknown
--   :usesPrevious     boolean[]   whether the previous secret was used
-- Out:
--   written           relation  a row for each sum
-- Locks:
--   The keys that were used, except for locked ones, which would delay the requests of all other keys. Then rows of usage
--   in the order of their primary key, on every replica, so that concurrent writes can't deadlock.
-- Example:
--   :organizationIds = '{01990000-0000-7000-8000-000000000000}'
--   :apiKeyIds = '{01990000-0000-7000-8000-000000000001}'
--   :models = '{small}'
--   :latencyBuckets = '{12}'
--   :requests = '{3}'
--   :failures = '{0}'
--   :limited = '{0}'
--   :{{columns.name}} = '{40}'
--   :microseconds = '{93000}'
--   :usedKeyIds = '{01990000-0000-7000-8000-000000000001}'
--   :addresses = '{192.0.2.1}'
--   :usesPrevious = '{false}'
--   with {{include …}} select count(*) from written

used as (
  select api_keys.id, caller.address, caller.uses_previous
  from unnest(:usedKeyIds::uuid[], :addresses::text[], :usesPrevious::boolean[]) as caller (id, address, uses_previous)
  join api_keys on api_keys.id = caller.id
  where last_used_at is null or last_used_at < now() - interval '1 second'
    or uses_previous and (previous_secret_last_used_at is null or previous_secret_last_used_at < now() - interval '1 second')
  for no key update of api_keys skip locked
),

marked as (
  update api_keys set last_used_at = now(), last_used_address = used.address,
    previous_secret_last_used_at =
      case when uses_previous and previous_secret_hash is not null then now() else previous_secret_last_used_at end
  from used where api_keys.id = used.id
),

written as (
  insert into usage (
    organization_id, hour, api_key_id, model, latency_bucket, requests, failures, limited,
    {{columns.column}},
    microseconds
  )
  select organization_id, date_trunc('hour', now(), 'UTC'), api_key_id, model, latency_bucket, requests, failures, limited,
    {{columns.column}},
    microseconds
  from unnest(
    :organizationIds::uuid[], :apiKeyIds::uuid[], :models::text[], :latencyBuckets::smallint[],
    :requests::bigint[], :failures::bigint[], :limited::bigint[],
    :{{columns.name}}::bigint[],
    :microseconds::bigint[]
  ) as sums (
    organization_id, api_key_id, model, latency_bucket, requests, failures, limited,
    {{columns.column}},
    microseconds
  )
  where {{condition}} and exists (select from organizations where id = organization_id)
  order by organization_id, api_key_id, model collate "C", latency_bucket
  on conflict (organization_id, hour, api_key_id, model, latency_bucket) do update set
    requests = usage.requests + excluded.requests,
    failures = usage.failures + excluded.failures,
    limited = usage.limited + excluded.limited,
    {{columns.column}} = {{columns.total}},
    microseconds = usage.microseconds + excluded.microseconds
  returning 1
)
