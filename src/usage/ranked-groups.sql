-- Ranks groups by an amount or by their names, for find-groups.sql and find-compared-groups.sql.
--
-- In: as a placeholder, the name of a group; the relation `sums`, and parameters.
--   :orderBy         text         an amount of amounts-of-groups.sql or latencies-of-groups.sql, or `name`
--   :isAscending     boolean      whether the smallest amount or the first name comes first
--   :offset          integer      number of groups on earlier pages
--   :end             integer      place of the last group on the page; null: all groups
-- Out: one row.
--   count            integer      number of all groups
--   groups           text[]       ids of the keys, models or creators, or tags on the page, in order
-- Locks: none.
-- Example:
--   :orderBy = 'requests'
--   :isAscending = false
--   :offset = 5
--   :end = 10
--   returns 12, {0199…,0198…,…}

named as (
  select key, requests, amount, case when :orderBy = 'name' then {{name}} end as name from sums
), ranked as materialized (
  select key, row_number() over (
    order by case when :isAscending::boolean then amount end nulls last, amount desc nulls last,
      case when :isAscending::boolean then name end nulls last, name desc nulls last, requests desc, key
  ) as place
  from named
)
select count(*)::integer as count,
  coalesce(
    array_agg(coalesce(key::text, '') order by place)
      filter (where place > :offset::integer and (:end::integer is null or place <= :end)),
    '{}'
  ) as groups
from ranked
