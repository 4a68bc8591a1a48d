-- Keys and their tags, for find-groups.sql and read-usage.sql. PostgreSQL only runs what the rest of a statement reads.
--
-- In:
--   :organizationId  uuid  whose keys
--   :tag             text  null: no key
-- Out: the relations `key_tags` and `tagged`.
--   tagged_key_id    uuid  of a key, which may be deleted
--   tag              text  only of `key_tags`, which has a row for each
-- Locks: none.
-- Example: `tagged` has the keys with the tag production.

key_tags as (
  select id as tagged_key_id, unnest(tags) as tag from api_keys
  where organization_id = :organizationId and tags <> '{}'
  union all
  select id, unnest(tags) from deleted_api_keys where organization_id = :organizationId and tags <> '{}'
), tagged as (
  select id as tagged_key_id from api_keys where organization_id = :organizationId and tags @> array[:tag::text]
  union all
  select id from deleted_api_keys where organization_id = :organizationId and tags @> array[:tag::text]
)
