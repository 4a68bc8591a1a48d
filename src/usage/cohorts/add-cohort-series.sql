-- Adds the series that change-cohorts.sql needs: one per cohort and model.
--
-- In:
--   :seriesIds  integer[]  the keys
--   :cohortIds  integer[]  the cohort of each; null for none
-- Out: nothing.
-- Locks: only the inserted rows. The lock of the retention task makes ids unique.
-- Example:
--   :seriesIds = '{17,18}'
--   :cohortIds = '{3,3}'
--   returns nothing; a key that is used with a new model adds a series of its cohort

insert into usage_series (id, api_key_id, model, cohort_id)
select (select coalesce(max(id), 0) from usage_series) + row_number() over (), {{all_keys}}, model, cohort_id
from (
  select distinct change.cohort_id, model
  from unnest(:seriesIds::integer[], :cohortIds::integer[]) as change (id, cohort_id)
  join usage_series as series using (id)
  where change.cohort_id is not null
) as needed
where not exists (
  select from usage_series as series where (series.cohort_id, series.model) = (needed.cohort_id, needed.model)
)
