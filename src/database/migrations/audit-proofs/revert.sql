-- The functions of the first schema follow.

drop trigger audit_events_are_pending on audit_events;
drop function note_audit_event();
drop table audit_sinks, audit_state, audit_checkpoints, audit_nodes, audit_leaves, audit_trees, audit_pending;
drop function refuse_to_change_audit_proofs();
