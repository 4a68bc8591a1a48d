-- Subtracts the days that are older than the retention period from a batch of packed rows.
--
-- In:
--   :retentionDays  integer  how many days are kept
-- Out: one row.
--   count           integer  number of rows of usage_by_day that had such days
-- Locks: packed rows, which only the replica that runs the retention task changes.
-- Example:
--   :retentionDays = 400
--   returns 12

with first_kept as materialized (
  select date_trunc('day', now() - make_interval(days => :retentionDays), 'UTC') as day
), old as materialized (
  select packed.* from usage_by_day as packed, first_kept
  where start < day and start + slots[1] * interval '24 hours' < day limit {{batch_size}}
), facts as materialized (
  select series_id, start + slot * interval '24 hours' as time, part.*
  from old {{parts}}, first_kept
  where start + slot * interval '24 hours' < day
), days as (
  {{subtract_from_days}}
), months as (
  {{subtract_from_months}}
)
select count(*)::integer as count from old
