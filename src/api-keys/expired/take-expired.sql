-- Takes keys that are deleted once they have expired.
--
-- In:
--   :batchSize     integer  keys to take
--   :delaySeconds  integer  from the expiry to the deletion
-- Out: a row for each key.
--   id              uuid
--   organizationId  uuid
--   name, hint      text
-- Locks: the keys. Skips keys that others lock, such as another replica.
-- Example:
--   :batchSize = 100
--   :delaySeconds = 300
--   returns 0199…, 0199…, Playground, kc_4fT9q

select id, organization_id as "organizationId", name, hint
from api_keys
where delete_when_expired and organization_id <> all ((select closed_organizations from database_identity)::uuid[])
  and expires_at < now() - :delaySeconds::integer * interval '1 second'
order by expires_at, id
limit :batchSize::integer
for update skip locked
