-- Finds the groups of a page of a usage report, those with the most requests first.
--
-- In:
--   :organizationId  uuid         whose usage
--   :from            timestamptz  start of the period (inclusive)
--   :to              timestamptz  end of the period (exclusive)
--   :apiKeyIds       uuid[]       null: all keys
--   :model           text         null: all models
--   :tag             text         null: keys with any tag, and without
--   :rangeLengths    text[]       length of the slots of packed rows in the period: `hour`, `day` or `month`
--   :rangeStarts     timestamptz[]  start of the packed row
--   :firstSlots      smallint[]   first slot
--   :endSlots        smallint[]   slot after the last
--   :offset          integer      number of groups on earlier pages
--   :end             integer      place of the last group on the page; null: all groups
-- Out: one row.
--   count            integer      number of all groups
--   groups           text[]       ids of the keys or models, or tags on the page
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :from = '2026-11-27T00:00:00Z'
--   :to = '2026-11-28T00:00:00Z'
--   :apiKeyIds = null
--   :model = null
--   :tag = null
--   :rangeLengths = '{hour}'
--   :rangeStarts = '{2026-11-27T00:00:00Z}'
--   :firstSlots = '{0}'
--   :endSlots = '{24}'
--   :offset = 5
--   :end = 10
--   returns 12, {0199…,0198…,…}

with {{include usage/tagged-keys.sql}}, chosen as (
  select id, {{key}} as key from usage_series {{join_tags}}
  where organization_id = :organizationId and ({{owners}}) and (:model::text is null or model = :model)
), ranked as materialized (
  select key, row_number() over (order by sum(requests) desc, key) as place
  from (
    select {{key}} as key, requests from usage {{join_tags}}
    where organization_id = :organizationId and hour >= :from and hour < :to
      and (:apiKeyIds::uuid[] is null or api_key_id = any (:apiKeyIds)) and (:model::text is null or model = :model)
      and (:tag::text is null or api_key_id in (select tagged_key_id from tagged))
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
