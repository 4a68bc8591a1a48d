-- Packed usage that reports select, for find-groups.sql and read-usage.sql. Sums of cohorts stand for the keys that they
-- include, unless the creator or the tags of a key have changed since: such a key is taken from the sum of its cohort, and
-- added. PostgreSQL only runs what the rest of a statement reads.
--
-- In:
--   :organizationId  uuid    whose keys
--   :apiKeyIds       uuid[]  null: all keys
--   :models          text[]  null: all models
--   :tags            text[]  keys with any of them; null: keys with any tag, and without
--   :creators        uuid[]  keys that one of them created; null: by any creator
--   :tagPrefix       text    start of the tags that are groups; null: all tags
--   :sums            text    what is added up: `keys`, cohorts by `creators` or by `tags`, or the sum of `all`
-- Out: relations; a key without tags has an empty one.
--   key_owners       key_id uuid, tags text[], creator uuid  of keys, which may be deleted; the creator is null if unknown
--   selected_keys    key_id uuid  with one of the tags and one of the creators
--   selected         id integer, model text, key_id uuid, tags text[], creator uuid, sign integer  series whose usage is
--                    added, or subtracted if the sign is -1; with the tags that are groups; without the key, its tags and
--                    its creator where they're a sum
-- Locks: none.
-- Example: `selected` has the sum of 100 keys with the tag production, and 2 keys that got it today.

key_owners as not materialized (
  select id as key_id, coalesce(nullif(tags, '{}'), '{""}') as tags,
    coalesce(created_by_id, created_by_service_account_id) as creator
  from api_keys where organization_id = :organizationId
  union all
  select id, coalesce(nullif(tags, '{}'), '{""}'), coalesce(created_by_id, created_by_service_account_id)
  from deleted_api_keys where organization_id = :organizationId
), selected_keys as (
  select key_id from key_owners
  where (:tags::text[] is null or tags && :tags) and (:creators::uuid[] is null or creator = any (:creators))
), cohorts as (
  select id as cohort_id, coalesce(nullif(tags, '{}'), '{""}') as tags, nullif(creator_id, {{all_keys}}) as creator,
    is_stale
  from usage_cohorts
  where organization_id = :organizationId
    and case :sums::text when 'creators' then creator_id is not null when 'tags' then tags is not null else false end
), single_series as (
  select id, model, api_key_id, null::integer as cohort_id from usage_series
  where organization_id = :organizationId and :sums::text <> 'all' and {{cohort_id}} is null
  union all
  select id, model, api_key_id, null from usage_series
  where :sums::text in ('creators', 'tags') and {{cohort_id}} in (select cohort_id from cohorts where is_stale)
  union all
  select id, model, api_key_id, {{cohort_id}} from usage_series
  where organization_id = :organizationId and :sums::text in ('creators', 'tags')
    and api_key_id in (select api_key_id from usage_cohort_changes where organization_id = :organizationId)
    and {{cohort_id}} in (select cohort_id from cohorts where not is_stale)
), selected as (
  select id, model, key_id, {{group_tags}} as tags, creator, sign
  from (
    select id, model, null::uuid as key_id, null::text[] as tags, null::uuid as creator, 1 as sign, true as is_chosen
    from usage_series
    where :sums::text = 'all' and organization_id = :organizationId and api_key_id = {{all_keys}}
    union all
    select id, model, api_key_id, coalesce(tags, '{""}'), creator, 1, false
    from single_series left join key_owners on key_id = api_key_id
    where api_key_id <> {{all_keys}} and (:apiKeyIds::uuid[] is null or api_key_id = any (:apiKeyIds))
    union all
    select id, model, api_key_id, tags, creator, -1, false from single_series join cohorts using (cohort_id)
    union all
    select id, model, null, tags, creator, 1, false
    from cohorts join usage_series using (cohort_id)
    where not is_stale
  ) as series
  where (:models::text[] is null or model = any (:models)) and (
    is_chosen
    or (:tags::text[] is null or tags && :tags) and (:creators::uuid[] is null or creator = any (:creators))
  )
)
