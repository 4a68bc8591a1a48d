-- Turns a database at the last of the earlier migrations, DatabaseHistory1795510000000, into the first schema. The
-- comments of the other files are added, and their functions replaced.

-- Functions of earlier commits, which no replica of the last one calls.
drop function admit_one_by_one(uuid[], text[], text[], bigint[], admission_ask[]);
drop function admit_requests(admission_ask[]);
drop function settle_usage(json);
drop type admission_ask;

delete from migrations;
