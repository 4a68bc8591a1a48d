-- Sums of what keys add to packed rows of cohorts, or take from them, for change-cohorts.sql.
--
-- In: the table of packed rows and the time of a slot as placeholders, and the relation `transfers`.
-- Out: a row for each series of a cohort, slot and latency bucket, with the columns of facts; see add-to-packed.sql.
-- Locks: none.
-- Example: 2 keys with 3 requests in the same hour become a row with 6 requests.

select transfer.series_id, {{time}} as time, latency_bucket, sum(sign * part.requests)::bigint as requests,
  sum(sign * part.failures)::bigint as failures, sum(sign * part.limited)::bigint as limited,
  sum(sign * part.{{columns.column}}) as {{columns.column}},
  sum(sign * timed)::bigint as timed
from transfers as transfer
cross join lateral (
  select * from {{table}} where series_id = transfer.key_series_id offset 0
) as packed
{{parts}}
group by transfer.series_id, packed.start, part.slot, part.latency_bucket
