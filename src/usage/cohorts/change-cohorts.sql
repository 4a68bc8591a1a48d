-- Moves the packed usage of keys from the sums of one cohort to those of another.
--
-- In:
--   :seriesIds  integer[]  the keys
--   :cohortIds  integer[]  the cohort of each from now on; null for none
--   As a placeholder, the column that says which cohort includes a series.
-- Out: one row.
--   count  integer  number of changed series
-- Locks: the series, and packed rows of the cohorts, which only the replica that runs the retention task changes.
-- Example:
--   :seriesIds = '{17,18}'
--   :cohortIds = '{3,null}'
--   returns 2

with changes as materialized (
  select series.id, series.model, series.{{cohort_column}} as previous_id, change.cohort_id as next_id
  from unnest(:seriesIds::integer[], :cohortIds::integer[]) as change (id, cohort_id)
  join usage_series as series using (id)
  where series.{{cohort_column}} is distinct from change.cohort_id
), transfers as materialized (
  select changes.id as key_series_id, series.id as series_id, sign
  from changes
  cross join lateral (values (previous_id, -1), (next_id, 1)) as transfer (cohort_id, sign)
  join usage_cohorts as cohort on cohort.id = transfer.cohort_id and not is_stale
  join usage_series as series on series.cohort_id = cohort.id and series.model = changes.model
), hour_facts as materialized (
  {{hour_facts}}
), day_facts as materialized (
  {{day_facts}}
), month_facts as materialized (
  {{month_facts}}
), hours as (
  {{add_to_hours}}
), days as (
  {{add_to_days}}
), months as (
  {{add_to_months}}
), changed as (
  update usage_series as series set {{cohort_column}} = next_id
  from changes where series.id = changes.id returning series.id
)
select count(*)::integer as count from changed
