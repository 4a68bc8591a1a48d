-- Which cohorts keys should be part of, for create-cohorts.sql and find-changes.sql: those that aren't part of one, or have
-- changed since. Not those of organizations that are moving here: their series arrive before their keys.
--
-- In: as placeholders, the column of the cohort's value, that value of a key, and the column that says which cohort
--   includes a series.
-- Out: the relation `key_values`, with a row for each series of such a key.
--   id               integer  of the series
--   organization_id  uuid
--   current_id       integer  of the cohort that includes it now; null if none does
--   value            uuid or text[]
-- Locks: none.
-- Example: a key that is used with 2 models has 2 rows.

key_values as (
  select series.id, series.organization_id, current_id, {{key_value}} as value
  from (
    select id, organization_id, api_key_id, {{cohort_column}} as current_id from usage_series
    where {{cohort_column}} is null and organization_id is not null and api_key_id <> {{all_keys}}
    union all
    select id, organization_id, api_key_id, {{cohort_column}} from usage_series
    where {{cohort_column}} is not null and (
      (organization_id, api_key_id) in (select organization_id, api_key_id from usage_cohort_changes)
      or {{cohort_column}} in (select id from usage_cohorts where is_stale)
    )
  ) as series
  left join (
    select id as key_id, tags, created_by_id, created_by_service_account_id from api_keys
    union all
    select id, tags, created_by_id, created_by_service_account_id from deleted_api_keys
  ) as keys on key_id = api_key_id
  where series.organization_id not in (
    select organization_id from organization_moves where direction = 'in' and state <> 'moved'
  )
)
