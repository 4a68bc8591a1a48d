-- Records requests that settle no limits.
--
-- In: see written-usage.sql.
-- Out: nothing.
-- Locks: see written-usage.sql.
-- Example:
--   returns nothing

with {{include usage/written-usage.sql}}

select from written limit 0
