-- Decides about requests that ask for reservations, in order; see the function reserve_usage.
--
-- In:
--   :demands   json  array with an object for each request, see below
-- Out: one row.
--   decisions  json  the type `UsageDecisions` in reservation-queries.ts
-- Locks:
--   limit_counters of tokens and pages, in the order of their primary key (owner_id, metric, per).
-- Example:
--   :demands = '[{"position":0,"keyId":"01990000-0000-7000-8000-000000000001","organizationId":"01990000-0000-7000-8000-000000000000","tokens":900,"pages":0,"estimatedTokens":120,"waitingSince":null,"isLastAttempt":false}]'
--   returns {"at": 1795836000000, "generation": 11972240, "reserved": [0], "waiting": [], "limits": []}

select reserve_usage(array_agg(
  row (position, "keyId", "organizationId", tokens, pages, "estimatedTokens", "estimatedPages", "waitingSince",
    "isLastAttempt")::usage_demand
  order by position
)) as decisions
from json_to_recordset(:demands::json) as demand (
  position integer,
  "keyId" uuid,
  "organizationId" uuid,
  -- The most that the request can use, and what limits that refill charge instead; null if the amounts are exact.
  tokens bigint,
  pages bigint,
  "estimatedTokens" bigint,
  "estimatedPages" bigint,
  -- Returned by an earlier attempt, in microseconds since 1970.
  "waitingSince" bigint,
  -- Whether it won't wait any longer.
  "isLastAttempt" boolean
)
