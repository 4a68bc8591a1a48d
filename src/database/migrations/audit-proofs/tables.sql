-- Merkle trees over the audit log, one for each organization and one for events without an organization, whose id is all
-- zeros. A background task appends events after they are committed, so that writing an event waits for no lock.

-- Events that aren't in a tree yet.
create table audit_pending (
  event_id uuid not null,
  constraint audit_pending_pkey primary key (event_id)
);
comment on table audit_pending is
  'Events that aren''t leaves of a tree yet. No foreign key: a row without its event shows that the event was removed';

create function note_audit_event() returns trigger language plpgsql as $$
begin
  insert into audit_pending (event_id) values (new.id);
  return null;
end
$$;

create trigger audit_events_are_pending after insert on audit_events
  for each row execute function note_audit_event();

create table audit_trees (
  id uuid not null,
  size bigint not null,
  edge bytea not null,
  checkpoints integer not null default 0,
  checkpoint_size bigint not null default 0,
  checkpointed_at timestamptz(3),
  constraint audit_trees_pkey primary key (id)
);
comment on table audit_trees is 'Trees over the events of organizations. They outlive their organizations';
comment on column audit_trees.id is 'Of the organization; all zeros for events without one';
comment on column audit_trees.size is 'Number of leaves';
comment on column audit_trees.edge is
  'Hashes of the complete subtrees that make up the tree, the largest first: all that is needed to append leaves';
comment on column audit_trees.checkpoints is 'Number of checkpoints, to find missing ones';
comment on column audit_trees.checkpoint_size is 'Number of leaves in the newest checkpoint';
comment on column audit_trees.checkpointed_at is 'Time in the newest checkpoint';

create table audit_leaves (
  tree_id uuid not null,
  index bigint not null,
  position bigint not null,
  event_id uuid not null,
  occurred_at timestamptz(3) not null,
  leaf_hash bytea not null,
  seal bytea,
  constraint audit_leaves_pkey primary key (tree_id, index),
  constraint audit_leaves_event_id_key unique (event_id),
  constraint audit_leaves_position_key unique (position)
);
comment on table audit_leaves is 'Hashes of events. They outlive events that are deleted by AUDIT_RETENTION_DAYS';
comment on column audit_leaves.index is 'In the tree; 0 is the first';
comment on column audit_leaves.position is
  'Orders the leaves of all trees as they became visible, so that a reader that knows the last one misses none';
comment on column audit_leaves.occurred_at is 'Of the event';
comment on column audit_leaves.leaf_hash is 'SHA-256 of a zero byte and the canonical JSON (RFC 8785) of the event';
comment on column audit_leaves.seal is
  'Authenticates the other columns with a secret derived from AUDIT_SIGNING_KEY. Null without that key';

-- So that a proof reads a few hundred hashes, not all.
create table audit_nodes (
  tree_id uuid not null,
  level smallint not null,
  index bigint not null,
  hash bytea not null,
  constraint audit_nodes_pkey primary key (tree_id, level, index)
);
comment on table audit_nodes is 'Hashes of complete subtrees of 256 leaves, 65,536 leaves, and so on';
comment on column audit_nodes.level is 'The subtree has 2^level leaves; a multiple of 8';
comment on column audit_nodes.index is 'Its first leaf is index * 2^level';

create table audit_checkpoints (
  tree_id uuid not null,
  number integer not null,
  size bigint not null,
  note text not null,
  constraint audit_checkpoints_pkey primary key (tree_id, number)
);
comment on table audit_checkpoints is 'Signed statements of the sizes and roots of trees';
comment on column audit_checkpoints.number is '1 is the first of the tree';
comment on column audit_checkpoints.size is 'Number of leaves';
comment on column audit_checkpoints.note is 'As C2SP tlog-checkpoint defines it';

-- A row if there is something to remember.
create table audit_state (
  id boolean not null default true check (id),
  backfilled_to uuid,
  deleted_before timestamptz(3),
  deleted_before_seal bytea,
  sealed_from bigint,
  sealed_from_seal bytea,
  constraint audit_state_pkey primary key (id)
);
comment on table audit_state is 'At most one row';
comment on column audit_state.backfilled_to is
  'Events with ids up to here that are older than the tables of trees are leaves; null: all';
comment on column audit_state.deleted_before is 'Events that occurred before may have been deleted by AUDIT_RETENTION_DAYS';
comment on column audit_state.deleted_before_seal is
  'Authenticates deleted_before with a secret derived from AUDIT_SIGNING_KEY';
comment on column audit_state.sealed_from is 'Position of the first leaf with a seal: all later ones have one';
comment on column audit_state.sealed_from_seal is 'Authenticates sealed_from';

insert into audit_state (backfilled_to)
  select '00000000-0000-0000-0000-000000000000' where exists (select from audit_events);

create table audit_sinks (
  name text not null,
  position bigint not null default 0,
  holder uuid,
  held_until timestamptz,
  constraint audit_sinks_pkey primary key (name)
);
comment on table audit_sinks is 'How far the receivers of audit events have got, by their name in AUDIT_SINKS_FILE';
comment on column audit_sinks.position is 'Of the last leaf whose event the sink has acknowledged';
comment on column audit_sinks.holder is 'The replica that delivers until held_until, unless it prolongs it';
