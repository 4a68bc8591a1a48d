-- Moves a batch of usage of past hours from `usage`, which requests write to, to packed rows for the key, for the cohorts
-- that include it, and for all keys.
-- Usage of organizations that are moving away stays, because their packed rows are being copied.
--
-- In: nothing.
-- Out: one row.
--   count  integer  number of moved rows
-- Locks:
--   The moved rows of `usage`; skips those that a late write has locked, and those whose series don't exist yet. Then
--   packed rows, which only the replica that runs the retention task changes.
-- Example:
--   returns 1000

with closed as materialized (
  select usage.ctid from usage
  join usage_series as own using (organization_id, api_key_id, model)
  join usage_series as total on total.organization_id = usage.organization_id
    and total.api_key_id = {{all_keys}} and total.model = usage.model
  where hour < {{open_hours}} and usage.organization_id not in (
    select organization_id from organization_moves where direction = 'out'
  )
  order by usage.organization_id, hour limit {{batch_size}}
  for update of usage skip locked
), moved as (
  delete from usage where ctid = any (array(select ctid from closed)) returning *
), facts as materialized (
  select series.series_id, hour as time, latency_bucket::integer, requests, failures, limited,
    {{columns.column}},
    requests as timed
  from moved join usage_series as own using (organization_id, api_key_id, model)
  cross join lateral (
    select own.id as series_id
    union all
    select id from usage_series as total
    where total.organization_id = moved.organization_id and total.api_key_id = {{all_keys}} and total.model = moved.model
    union all
    select id from usage_series as cohort where cohort.cohort_id = own.creator_cohort_id and cohort.model = moved.model
    union all
    select id from usage_series as cohort where cohort.cohort_id = own.tags_cohort_id and cohort.model = moved.model
  ) as series
), hours as (
  {{add_to_hours}}
), days as (
  {{add_to_days}}
), months as (
  {{add_to_months}}
)
select count(*)::integer as count from moved
