-- Appends requests to the log of their keys.
--
-- Requests of a key are rows of about 50 requests, because a row for each would take twice the space: the text of a chunk is
-- compressed, and has no index entries of its own. A chunk that has 50 requests is complete, and the next one follows it.
-- Keys that are being deleted are skipped. Doesn't wait for the disk.
--
-- In:
--   :groups  json  requests by key and kind: api_key_id, is_failure, count, last_at, fingerprints of their IDs, and requests, a
--     line each
-- Out: a row for each chunk that is new, whose key may have too many now: see trim-requests.sql.
--   apiKeyId  uuid
-- Locks: the keys, except for locked ones. Then chunks in the order of their primary key, on every replica, so that concurrent
--   writes can't deadlock.
-- Example:
--   :groups = '[{"api_key_id": "01990000-0000-7000-8000-000000000001", "is_failure": false, "count": 1, "fingerprints": "\\x01be7a", "requests": "[…]"}]'
--   returns 0199…

with settings as materialized (
  select set_config('synchronous_commit', 'off', true)
), batch as materialized (
  select batch.*
  from settings, json_to_recordset(:groups::json) as batch (
    api_key_id uuid, is_failure boolean, count integer, last_at timestamptz, fingerprints bytea, requests text
  )
), keys as materialized (
  select id, organization_id from api_keys where id in (select api_key_id from batch) for key share skip locked
), placed as (
  select batch.*, organization_id, coalesce(latest.number + (latest.count >= 50)::integer, 0) as number
  from batch join keys on id = api_key_id
  left join lateral (
    select number, count from request_chunks
    where request_chunks.api_key_id = batch.api_key_id and request_chunks.is_failure = batch.is_failure
    order by number desc limit 1
  ) as latest on true
), written as (
  insert into request_chunks (api_key_id, is_failure, number, organization_id, count, last_at, fingerprints, requests)
  select api_key_id, is_failure, number, organization_id, count, last_at, fingerprints, requests from placed
  order by api_key_id, is_failure, number
  on conflict (api_key_id, is_failure, number) do update set
    count = request_chunks.count + excluded.count,
    last_at = greatest(request_chunks.last_at, excluded.last_at),
    fingerprints = request_chunks.fingerprints || excluded.fingerprints,
    requests = request_chunks.requests || e'\n' || excluded.requests
  returning api_key_id, is_failure, count
)
select api_key_id as "apiKeyId" from written join batch using (api_key_id, is_failure, count)
