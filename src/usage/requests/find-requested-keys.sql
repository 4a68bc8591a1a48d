-- Finds the keys that have requests with an ID, in the log and among the failed requests.
--
-- Reads the rows of all chunks of the organization, but only the text of those whose fingerprints have that of the ID, or not all of
-- their requests: text is compressed and stored apart from the rows. Text that has the ID elsewhere, or too early to be listed, is
-- found too, so the requests must be read to be sure.
--
-- In:
--   :organizationId    uuid
--   :requestId         text
--   :fingerprint       bytea    of the ID
--   :fingerprintBytes  integer  its length
--   :idInLine          text     the ID as lines of the log have it
--   :maxKeys           integer
-- Out: the keys, those with the latest requests first.
--   id    uuid
--   name  text
--   hint  text  its first characters
-- Locks: nothing.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000001'
--   :requestId = 'job-7'
--   :fingerprint = '\x01be7a'
--   :fingerprintBytes = 3
--   :idInLine = '"job-7"'
--   :maxKeys = 10
--   returns 0199…, Search indexer, kc_4fT9q

with chunks as materialized (
  select api_key_id, last_at, requests from request_chunks
  where organization_id = :organizationId::uuid
    and (
      position(:fingerprint::bytea in fingerprints) > 0
      or length(fingerprints) <> count * :fingerprintBytes::integer
    )
), found as (
  select api_key_id, last_at from chunks where position(:idInLine::text in requests) > 0
  union all
  select api_key_id, occurred_at from failed_requests
  where organization_id = :organizationId::uuid and request_id = :requestId::text
), latest as (
  select api_key_id, max(last_at) as last_at from found group by api_key_id
)
select id, name, hint from latest join api_keys on id = api_key_id
where organization_id = :organizationId::uuid
order by last_at desc, id limit :maxKeys::integer
