-- What groups with usage are ordered by, for find-groups.sql: an amount, or a mean.
--
-- In: as placeholders, the group of usage as `key`, the joined relation with it, the amount, and what a mean is divided by
--   (null without); the relation `chosen`, and parameters of find-groups.sql.
-- Out: a row for each group.
--   key       uuid or text  of the group
--   requests  numeric       in the period
--   amount    numeric       null for a group without cost, or without anything to divide by
-- Locks: none.
-- Example: 2 first tokens after 30 ms in all have the amount 15000 with the order `firstTokenMilliseconds`.

select key, sum(requests) as requests,
  case :orderBy when 'cost' then nullif(sum(amount), 0)
    when 'firstTokenMilliseconds' then sum(amount) / nullif(sum(divisor), 0)
    else coalesce(sum(amount), 0) end as amount
from (
  select {{key}} as key, requests, limited, {{amount}} as amount, {{divisor}} as divisor
  from usage {{join_owners}}
  where {{selected_usage}}
  union all
  {{packed_amounts}}
) as used
-- The usage of a key that has left a group is subtracted.
group by key having sum(requests) > 0 or sum(limited) > 0
