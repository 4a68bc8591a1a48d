-- Gives events their positions, and adds their deliveries.

-- Handles the oldest events without a position, at most `max_count`, and returns their number. One replica does this at a
-- time. What caused a later event was committed before it, so it is visible here, and gets a lower position.
create function dispatch_events(max_count integer) returns integer language plpgsql as $$
declare
  handled integer;
begin
  if not pg_try_advisory_xact_lock(7402118356) then
    return 0;
  end if;
  -- A statement of its own, because it must see what the previous holder of the lock has committed.
  with fresh as materialized (
    select id, occurred_at from events where position is null order by occurred_at, id limit max_count for update
  ), numbered as materialized (
    select id, coalesce((select max(position) from events), 0) + row_number() over (order by occurred_at, id) as position
    from fresh
  ), placed as (
    update events set position = numbered.position from numbered where events.id = numbered.id
    returning events.id, events.organization_id, events.type, events.position
  ), added as (
    insert into webhook_deliveries (organization_id, webhook_id, event_id, position)
    select placed.organization_id, webhooks.id, placed.id, placed.position
    from placed join webhooks on webhooks.organization_id = placed.organization_id
    where webhooks.enabled and placed.type <> 'webhook.test'
      and (webhooks.event_types is null or placed.type = any (webhooks.event_types))
    returning webhook_id
  ), woken as (
    -- In the order of their ids, like other statements that lock several webhooks.
    select id from webhooks where id in (select webhook_id from added) order by id for update
  ), updated as (
    update webhooks set woken = run_id is not null, due_at = coalesce(due_at, clock_timestamp())
    from woken where webhooks.id = woken.id
  )
  select count(*) into handled from placed;
  return handled;
end
$$;
comment on function dispatch_events is 'Gives events their positions, and adds their deliveries';
