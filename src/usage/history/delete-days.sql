-- Subtracts days older than the retention period from the packed rows of a batch.
--
-- In: :retention_days
-- Out: count, the number of rows of `usage_by_day` that had such days
-- Locks: the packed rows, which only the replica with the lock of the retention task changes
-- Example: with 400 days, a day of 401 days ago is removed from its month, and subtracted from the month in its year
with first_kept as materialized (
  select date_trunc('day', now() - make_interval(days => :retention_days), 'UTC') as day
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
