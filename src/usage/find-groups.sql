-- Finds the groups of a page, those with the most requests first.
--
-- In: :organization_id, :from, :to: whose usage, and of when
--   :api_key_id, :model: filters; null for all
--   :range_lengths, :range_starts, :first_slots, :end_slots: the slots of packed rows in the period, as arrays of equal
--     length: `hour`, `day` or `month`, start of the packed row, first slot, and slot after the last
--   :offset, :end: the places of the page; the end is null for all groups
-- Out: one row: count, the number of all groups; groups, those of the page
-- Locks: none
-- Example: 12 keys, page 2 with 5 per page: count 12, and the ids of the keys at the places 6 to 10
with chosen as (
  select id, {{key}} as key from usage_series
  where organization_id = :organization_id and ({{owners}}) and (:model::text is null or model = :model)
), ranked as materialized (
  select key, row_number() over (order by sum(requests) desc, key) as place
  from (
    select {{key}} as key, requests from usage
    where organization_id = :organization_id and hour >= :from and hour < :to
      and (:api_key_id::uuid is null or api_key_id = :api_key_id) and (:model::text is null or model = :model)
    union all
    {{packed_requests}}
  ) as used
  group by key having sum(requests) is not null
)
select count(*)::integer as count,
  coalesce(
    array_agg(key::text order by place)
      filter (where place > :offset::integer and (:end::integer is null or place <= :end)),
    '{}'
  ) as groups
from ranked
