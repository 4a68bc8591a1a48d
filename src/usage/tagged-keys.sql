-- Keys with their tags and creators, for find-groups.sql and read-usage.sql. PostgreSQL only runs what the rest of a
-- statement reads.
--
-- In:
--   :organizationId  uuid  whose keys
--   :tags            text[]  keys with any of them are tagged; null: no key
-- Out: the relations `key_tags`, `tagged` and `key_creators`.
--   tagged_key_id, created_key_id: uuid of a key, which may be deleted
--   tag              text  only of `key_tags`, which has a row for each
--   creator          uuid  only of `key_creators`: a user or service account; null if unknown
-- Locks: none.
-- Example: `tagged` has the keys with the tag production.

key_tags as (
  select id as tagged_key_id, unnest(tags) as tag from api_keys
  where organization_id = :organizationId and tags <> '{}'
  union all
  select id, unnest(tags) from deleted_api_keys where organization_id = :organizationId and tags <> '{}'
), tagged as (
  select id as tagged_key_id from api_keys where organization_id = :organizationId and tags && :tags::text[]
  union all
  select id from deleted_api_keys where organization_id = :organizationId and tags && :tags::text[]
), key_creators as (
  select id as created_key_id, coalesce(created_by_id, created_by_service_account_id) as creator from api_keys
  where organization_id = :organizationId
  union all
  select id, coalesce(created_by_id, created_by_service_account_id) from deleted_api_keys
  where organization_id = :organizationId
)
