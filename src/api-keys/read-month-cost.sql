-- Reads what an API key has cost in the current month of its organization's time zone.
--
-- In:
--   :ownerId         uuid  of the key
--   :organizationId  uuid  of its organization
-- Out: one row, or none if the organization was deleted.
--   month            text  such as `2026-11`
--   cost             text  in billionths of the currency
-- Locks: none.
-- Example:
--   :ownerId = '01990000-0000-7000-8000-000000000001'
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   returns 2026-11, 1250000000

with clock as materialized (
  select clock_timestamp() as time, time_zone from organizations where id = :organizationId
),

{{include limits/budget-periods.sql}},

counted_period as (
  select * from budget_period where per = 'month'
),

{{include limits/recorded-usage.sql}}

select to_char(time at time zone time_zone, 'YYYY-MM') as month,
  (select coalesce(sum(cost), 0) from recorded)::text as cost
from clock
