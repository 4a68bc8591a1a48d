-- The current periods of budgets, in the organization's time zone. Common table expressions for statements.
--
-- In:
--   clock            relation  one row
--     time           timestamptz
--     time_zone      text
-- Out:
--   budget_period    relation  a row for day, week and month
--     per            text
--     period_start   timestamptz
--     period_end     timestamptz
-- Locks: none.
-- Example:
--   with clock as (select …), {{include …}} select period_end from budget_period where per = 'day'
--   returns 2026-11-29 00:00:00+00

budget_period as materialized (
  select per, period_start(per, time, time_zone) as period_start,
    to_timestamp(period_end(per, time, time_zone) / 1000) as period_end
  from clock cross join (values ('day'), ('week'), ('month')) as budget (per)
)
