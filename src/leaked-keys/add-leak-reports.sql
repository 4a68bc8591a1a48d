-- Notes where secrets of API keys were found. All arrays have an element for each report.
--
-- In:
--   :hashes           bytea[]  SHA-256 of the secrets
--   :places           bytea[]  SHA-256 of the places
--   :organizationIds  uuid[]
--   :apiKeyIds        uuid[]
--   :secrets          text[]   current or previous
-- Out: a row for each report that is new.
--   position          integer  in the arrays, from 0
-- Locks: the new rows. Waits for transactions that add the same.
-- Example:
--   :hashes = '{"\\x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}'
--   :places = '{"\\x2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}'
--   :organizationIds = '{01990000-0000-7000-8000-000000000001}'
--   :apiKeyIds = '{01990000-0000-7000-8000-000000000002}'
--   :secrets = '{current}'
--   returns 0

with reported as (
  select * from unnest(:hashes::bytea[], :places::bytea[], :organizationIds::uuid[], :apiKeyIds::uuid[], :secrets::text[])
    with ordinality as report (secret_hash, place_hash, organization_id, api_key_id, secret, number)
), added as (
  insert into leak_reports (secret_hash, place_hash, organization_id, api_key_id, secret)
  select secret_hash, place_hash, organization_id, api_key_id, secret from reported order by secret_hash, place_hash
  on conflict do nothing
  returning secret_hash, place_hash
)
select number::integer - 1 as position from added join reported using (secret_hash, place_hash) order by number
