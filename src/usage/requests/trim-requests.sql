-- Deletes chunks of requests that later ones of the same key and kind have replaced.
--
-- A key keeps 700 successful requests, and 300 that failed, or fewer if they are large: its log takes at most 100 kB. 10,000
-- keys therefore take at most 1 GB. What one key takes:
--   68 kB   the compressed text of 1,000 requests: at most 48 kB of successful and 20 kB of failed ones
--    7 kB   a chunk of each kind, of which a part is no longer needed
--    3 kB   fingerprints of request IDs
--   17 kB   rows, their parts in the TOAST table, entries of three indexes, and what pages leave free
--    5 kB   rows that were replaced: autovacuum removes them when they are 5% of the table
--
-- In:
--   :apiKeyIds    uuid[]   the keys
--   :maxRequests  integer[]  number of requests to keep: successful, failed
--   :maxBytes     integer[]  their compressed size
-- Out: nothing.
-- Locks: what it deletes. Skips locked rows, which another replica deletes, so that concurrent runs can't deadlock.
-- Example:
--   :apiKeyIds = '{01990000-0000-7000-8000-000000000001}'
--   :maxRequests = '{700,300}'
--   :maxBytes = '{48000,20000}'
--   deletes those from the 701st on

with settings as materialized (
  select set_config('synchronous_commit', 'off', true)
), ranked as materialized (
  select api_key_id, is_failure, number,
    sum(count) over later as later_requests, sum(pg_column_size(requests)) over later as later_bytes
  from settings, request_chunks where api_key_id = any (:apiKeyIds::uuid[])
  window later as (
    partition by api_key_id, is_failure order by number desc rows between unbounded preceding and 1 preceding
  )
)
delete from request_chunks where ctid = any (array(
  select ctid from request_chunks
  where (api_key_id, is_failure, number) in (
    select api_key_id, is_failure, number from ranked
    where later_requests >= (:maxRequests::integer[])[is_failure::integer + 1]
      or later_bytes >= (:maxBytes::integer[])[is_failure::integer + 1]
  )
  for update skip locked
))
