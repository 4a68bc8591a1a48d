-- Records requests, and settles their limits.
--
-- In: see written-usage.sql, and
--   :settlements  json  parameter of the function settle_amounts
-- Out: the result of settle_amounts.
-- Locks: see written-usage.sql. Last the counters of limits, which are then locked only briefly.
-- Example:
--   :settlements = '{"changes": [], "uses": []}'
--   returns an empty row

with {{include usage/written-usage.sql}}

select settle_amounts(:settlements::json) from (select count(*) from written) as done
