-- Keeps trees from being changed, and deletes only events that are in a tree.

revoke update, delete, truncate on audit_leaves, audit_nodes, audit_checkpoints from current_user;

-- Guards against mistakes, like the trigger of audit_events.
create function refuse_to_change_audit_proofs() returns trigger language plpgsql as $$
begin
  raise exception 'Proofs of the audit log cannot be changed or deleted.' using errcode = 'insufficient_privilege';
end
$$;

create trigger audit_leaves_are_final before update or delete or truncate on audit_leaves
  for each statement execute function refuse_to_change_audit_proofs();
create trigger audit_nodes_are_final before update or delete or truncate on audit_nodes
  for each statement execute function refuse_to_change_audit_proofs();
create trigger audit_checkpoints_are_final before update or delete or truncate on audit_checkpoints
  for each statement execute function refuse_to_change_audit_proofs();

-- As in the first schema, except for the condition that the event is a leaf.
do $do$
begin
  execute format(
    $create$
      create or replace function delete_old_audit_events(retention_days integer, max_count integer) returns integer
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      declare
        cutoff timestamptz := now() - make_interval(days => greatest(retention_days, 30));
        last_milliseconds bigint := extract(epoch from cutoff + interval '1 day') * 1000;
        last_id uuid := rpad(lpad(to_hex(last_milliseconds), 12, '0'), 32, 'f')::uuid;
        deleted integer;
      begin
        if not exists (
          select from %1$I.audit_events as event where id <= last_id and occurred_at < cutoff
            and exists (select from %1$I.audit_leaves where event_id = event.id)
        ) then
          return 0;
        end if;
        perform set_config('keycard.deletes_old_audit_events', 'on', true);
        grant delete on %1$I.audit_events to current_user;
        delete from %1$I.audit_events where id in (
          select id from %1$I.audit_events as event where id <= last_id and occurred_at < cutoff
            and exists (select from %1$I.audit_leaves where event_id = event.id)
          order by id limit max_count
        );
        get diagnostics deleted = row_count;
        revoke delete on %1$I.audit_events from current_user;
        perform set_config('keycard.deletes_old_audit_events', 'off', true);
        return deleted;
      end
      $$
    $create$,
    current_schema()
  );
end
$do$;
