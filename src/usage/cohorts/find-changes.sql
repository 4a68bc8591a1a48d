-- Finds series of keys that aren't part of their cohort yet, or of the wrong one, such as after their tags changed.
--
-- In: placeholders of key-values.sql.
-- Out: a row for each series, those of the same cohort together.
--   id        integer  of the series
--   cohortId  integer  that should include it; null if it has none, because few keys have the value
-- Locks: none.
-- Example:
--   returns 17, 3

with {{include usage/cohorts/key-values.sql}}
select key_values.id, cohort.id as "cohortId"
from key_values
left join usage_cohorts as cohort on cohort.organization_id = key_values.organization_id
  and cohort.{{value_column}} = value and not is_stale
where cohort.id is distinct from current_id
order by cohort.id, current_id, key_values.id
limit {{max_changes}}
