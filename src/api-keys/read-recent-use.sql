-- Reads how much keys were used on the last days, by UTC day. Skips from hour to hour of the table `usage`, of which few
-- are left, because usage of past hours is packed by day.
--
-- In:
--   :organizationId  uuid         of the keys
--   :ids             uuid[]       of the keys
--   :from            timestamptz  start of the first UTC day
-- Out: a row for each key and day with usage.
--   id               uuid         of the key
--   day              date         UTC
--   requests         bigint       including failures
--   failures         bigint
--   pricedRequests   bigint       the requests that have a cost
--   cost             numeric      in billionths of the currency
-- Locks: none.
-- Example:
--   :organizationId = '01990000-0000-7000-8000-000000000000'
--   :ids = '{01990000-0000-7000-8000-000000000001}'
--   :from = '2026-11-22T00:00:00Z'
--   returns 0199…1, 2026-11-28, 120, 3, 120, 45000000

with recursive hours as (
  select (select min(hour) from usage where organization_id = :organizationId and hour >= :from) as hour
  union all
  select (select min(usage.hour) from usage where organization_id = :organizationId and usage.hour > hours.hour)
  from hours where hours.hour is not null
), used as (
  select api_key_id, usage.hour as time, requests, failures, priced_requests, cost
  from hours join usage on usage.hour = hours.hour
  where organization_id = :organizationId and api_key_id = any (:ids::uuid[])
  union all
  select api_key_id, packed.start, (select sum(value) from unnest(packed.requests) as value),
    (select sum(value) from unnest(packed.failures) as value),
    (select sum(value) from unnest(packed.priced_requests) as value),
    (select sum(value) from unnest(packed.cost) as value)
  from usage_series join usage_by_hour as packed on packed.series_id = usage_series.id and packed.start >= :from
  where organization_id = :organizationId and api_key_id = any (:ids::uuid[])
)
select api_key_id as id, to_char(time at time zone 'UTC', 'YYYY-MM-DD') as day, sum(requests)::bigint as requests,
  coalesce(sum(failures), 0)::bigint as failures, coalesce(sum(priced_requests), 0)::bigint as "pricedRequests",
  coalesce(sum(cost), 0)::text as cost
from used group by id, day
