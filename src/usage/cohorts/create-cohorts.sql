-- Creates the cohorts that enough keys should be part of. They are empty at first.
--
-- In: placeholders of key-values.sql, and how many keys are enough.
-- Out: nothing.
-- Locks: only the inserted rows. The lock of the retention task makes ids unique.
-- Example:
--   returns nothing; 10 keys with the tag production get a cohort

with {{include usage/cohorts/key-values.sql}}
insert into usage_cohorts (id, organization_id, {{value_column}})
select (select coalesce(max(id), 0) from usage_cohorts) + row_number() over (), organization_id, value
from (
  select organization_id, value from key_values group by organization_id, value having count(*) >= {{min_keys}}
) as needed
where not exists (
  select from usage_cohorts as cohort
  where cohort.organization_id = needed.organization_id and cohort.{{value_column}} = value and not is_stale
)
