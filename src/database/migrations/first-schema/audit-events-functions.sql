-- Keeps audit events from being changed, and deletes old ones.

-- Guards against mistakes, not against the owner of the table, who could drop the trigger.
create or replace function refuse_to_change_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('keycard.deletes_old_audit_events', true) = 'on' then
    return null;
  end if;
  raise exception 'Audit events cannot be changed or deleted.' using errcode = 'insufficient_privilege';
end
$$;

create or replace trigger audit_events_are_final before update or delete or truncate on audit_events
  for each statement execute function refuse_to_change_audit_events();

-- Deletes a batch of audit events older than a number of days, at least 30, with the rights of the owner of the table,
-- who only has the right to delete in here. UUIDs v7 of events are in the order of their times, except for the
-- difference between clocks, so the primary key finds old events. It names the schema, because a function with the
-- owner's rights must not depend on the caller's search path.
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
        if not exists (select from %1$I.audit_events where id <= last_id and occurred_at < cutoff) then
          return 0;
        end if;
        perform set_config('keycard.deletes_old_audit_events', 'on', true);
        grant delete on %1$I.audit_events to current_user;
        delete from %1$I.audit_events where id in (
          select id from %1$I.audit_events where id <= last_id and occurred_at < cutoff order by id limit max_count
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
revoke execute on function delete_old_audit_events(integer, integer) from public;
