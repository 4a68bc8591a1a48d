-- Finds out whether the server's keys may be believed: a standby may lag behind, and a database that went back in time
-- may have keys again that were deleted.
--
-- In:
--   :beat    bigint    of the row of database_history that the database must have; null before the first one
--   :token   uuid      of that row
-- Out:
--   server   relation  one row:
--     is_standby            whether the server is in recovery
--     is_believed           whether it's the primary, its history isn't lost, and it has the row
--     closed_organizations  organizations that are moving to another database, or from one
-- Locks: none.
-- Example:
--   with {{include …}} select is_believed from server
--   returns true

server as materialized (
  select pg_is_in_recovery() as is_standby, not pg_is_in_recovery() and lost_at is null and (
    :beat::bigint is null or exists (select from database_history where beat = :beat and token = :token::uuid)
  ) as is_believed, closed_organizations
  from database_identity
)
