-- Decides about requests that ask for reservations, in order; see the function reserve_amounts. Leaves out requests of
-- organizations that are moving to another database, so that they get no decision and no limits.
--
-- In:
--   :demands   json  array with an object for each request:
--     position                         in the batch
--     keyId, organizationId, model
--     countedModels                    the models whose limits on requests have already counted it; null: none
--     tokens, pages, cost              the most that the request can use; cost in billionths of the currency
--     estimatedTokens, estimatedPages  what limits that refill charge instead; null if the amounts are exact
--     output, leastOutput, choices     tokens of each choice, how few of them are useful, and the number of choices
--     outputPrice                      of a token of output, in 10^-12 of a billionth
--     waitingSince                     returned by an earlier attempt, in microseconds since 1970
--     isLastAttempt                    whether it won't wait any longer
-- Out: one row.
--   decisions  json  the type `UsageDecisions` in reservation-queries.ts
-- Locks:
--   limit_counters of what is reserved, in the order of their primary key (owner_id, metric, per).
-- Example:
--   :demands = '[{"position":0,"keyId":"01990000-0000-7000-8000-000000000001","organizationId":"01990000-0000-7000-8000-000000000000","model":"small","countedModels":null,"tokens":900,"pages":0,"cost":0,"estimatedTokens":120,"estimatedPages":0,"output":0,"leastOutput":0,"choices":1,"outputPrice":"0","waitingSince":null,"isLastAttempt":false}]'
--   returns {"at": 1795836000000, "generation": 119722400, "reserved": [[0, 0]], "waiting": [], "limits": []}

select reserve_amounts(
  case (select closed_organizations from database_identity)
    when '{}' then :demands::json
    else coalesce((
      select json_agg(demand) from json_array_elements(:demands::json) as demand, database_identity
      where (demand->>'organizationId')::uuid <> all (closed_organizations)
    ), '[]')
  end
) as decisions
