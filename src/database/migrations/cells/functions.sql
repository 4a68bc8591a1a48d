-- Keeps the list of closed organizations, and refuses changes of them.

create function note_closed_organizations() returns trigger language plpgsql as $$
begin
  update database_identity set closed_organizations =
    coalesce((select array_agg(organization_id order by organization_id) from organization_moves where is_closed), '{}');
  return null;
end
$$;

create trigger organization_moves_are_noted after insert or update or delete on organization_moves
  for each statement execute function note_closed_organizations();

-- A command that was killed must not leave the organization without a cell. One that is only slow can't continue afterwards,
-- because it must find the state that it left; see src/admin/cells/move-state.ts.
create function reopen_abandoned_move(organization uuid) returns boolean language plpgsql as $$
begin
  update organization_moves set state = 'copying', is_closed = false, changed_at = clock_timestamp()
  where organization_id = organization and direction = 'out' and state = 'switching'
    and changed_at < clock_timestamp() - interval '4 seconds';
  return found;
end
$$;
comment on function reopen_abandoned_move is
  'Lets the source serve an organization again that no cell has served for 4 seconds; returns whether it does';

-- Every change records an audit event in its transaction, so refusing the event refuses the change. The lock makes the move
-- wait for changes that have recorded theirs before; see src/admin/cells/switch-over.ts.
create function refuse_changes_of_closed_organizations() returns trigger language plpgsql as $$
begin
  if new.organization_id is null or current_setting('keycard.moves_organization', true) = 'on' then
    return new;
  end if;
  perform pg_advisory_xact_lock_shared(7402118, hashtext(new.organization_id::text));
  -- A statement of its own, which sees what was committed while it waited.
  if exists (select from database_identity where new.organization_id = any (closed_organizations))
    and not reopen_abandoned_move(new.organization_id) then
    raise exception 'The organization is moving to another database.' using errcode = 'KCMOV';
  end if;
  return new;
end
$$;

create trigger audit_events_of_closed_organizations before insert on audit_events
  for each row execute function refuse_changes_of_closed_organizations();
