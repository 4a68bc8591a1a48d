-- Reads a batch of events that aren't leaves of a tree yet, the oldest ids first. Before the events of the queue, those that
-- are older than the tables of trees.
--
-- In: nothing.
-- Out: a row for each event, with its columns, and
--   isLeaf  boolean  whether it is a leaf already, so that it only has to leave the queue
--   isOld   boolean  whether the batch is of events older than the tables
-- Locks: none.
-- Example:
--   returns 0199…, 2026-11-28 12:00:00.123+00, api-key.create, …, false

-- Scalar subqueries look rows up one by one. For joins, PostgreSQL could read whole tables, whose statistics are old while
-- they grow.
with state as (
  select backfilled_to from audit_state where backfilled_to is not null
), old as (
  select id from audit_events
  where id > (select backfilled_to from state)
    and (select true from audit_leaves where event_id = audit_events.id limit 1) is null
    and (select true from audit_pending where event_id = audit_events.id limit 1) is null
  order by id limit {{batch_size}}
), pending as (
  select event_id as id,
    (select true from audit_leaves where audit_leaves.event_id = audit_pending.event_id limit 1) is not null as is_leaf
  from audit_pending
  where not exists (select from old) and (select true from audit_events where id = event_id limit 1)
  order by event_id limit {{batch_size}}
), batch as (
  select id, false as is_leaf from old
  union all
  select id, is_leaf from pending
)
select {{columns}}, is_leaf as "isLeaf", exists (select from old) as "isOld"
from batch join audit_events on audit_events.id = batch.id
order by audit_events.occurred_at, audit_events.id
