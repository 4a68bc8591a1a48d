-- Locks the keys that reported secrets belong to, so that a report and a change of its key take turns.
--
-- In:
--   :hashes          bytea[]  SHA-256 of the secrets
-- Out: a row without columns for each key.
-- Locks: the keys, in the order in which changes of organizations lock them.
-- Example:
--   :hashes = '{"\\x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}'
--   returns a row

select from api_keys
where id = any (array(
  select id from api_keys where secret_hash = any (:hashes::bytea[])
  union
  select id from api_keys where previous_secret_hash = any (:hashes::bytea[])
))
order by created_at, id
for update
