-- Records requests, and settles their budgets, if these are all that is to be settled. Otherwise, it changes nothing.
--
-- In: see the included files.
-- Out: one row.
--   are_all  boolean  whether the requests are recorded
--   noted    text     null
-- Locks: see written-usage.sql, then settled-budgets.sql.
-- Example:
--   returns true, null

with {{include limits/known-budgets.sql}},

{{include usage/written-usage.sql}},

{{include limits/settled-budgets.sql}}

select are_all, (
  select note_thresholds(array_agg(owner_id), array_agg(metric), array_agg(per))::text
  from settled where is_noticed having count(*) > 0
) as noted
from known_budgets
