-- The audit log. The service's role can only add and read events. As the owner of the table, it could restore its
-- rights and drop the trigger; a role that doesn't own the table is safer, see docs/audit.md.

create table audit_events (
  id uuid not null,
  organization_id uuid,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  action text not null,
  actor_kind text not null default 'user',
  actor_id uuid,
  actor_email text,
  actor_name text,
  address text not null,
  user_agent text,
  target_kind text not null,
  target_id uuid,
  target_name text,
  target_hint text,
  before jsonb,
  after jsonb,
  constraint "PK_910f64d901a5c3e9878f0d4a407" primary key (id),
  constraint "FK_6510e4bf7423cd3d750e8c2ae81" foreign key (organization_id) references organizations (id)
);
-- One index per filter, so that the newest events of a rare kind are found without reading years of sign-ins.
create index audit_events_by_time on audit_events (organization_id, occurred_at, id);
create index audit_events_by_actor on audit_events (organization_id, actor_id, occurred_at, id);
create index audit_events_by_actor_email on audit_events (organization_id, actor_email, occurred_at, id);
create index audit_events_by_action on audit_events (organization_id, action, occurred_at, id);
create index audit_events_by_target on audit_events (organization_id, target_id, occurred_at, id);
create index audit_events_by_target_kind on audit_events (organization_id, target_kind, occurred_at, id);
create index audit_events_by_target_hint on audit_events (organization_id, target_hint, occurred_at, id)
  where target_hint is not null;
revoke update, delete, truncate on audit_events from current_user;
comment on table audit_events is
  'Audit events, with names as they were at the time, so that events stay readable after their targets are deleted';
comment on column audit_events.id is
  'UUID v7. Orders events of the same millisecond, by the clock of the replica that wrote them';
comment on column audit_events.organization_id is
  'Null for a sign-in with an email that isn''t a member of any organization, and for changes by the operator';
comment on column audit_events.occurred_at is 'By the database''s clock, which all replicas share';
comment on column audit_events.actor_kind is
  'user or service-account. user also stands for unknown accounts and for the operator';
comment on column audit_events.actor_id is 'No foreign key, because events outlive accounts; null: unknown';
comment on column audit_events.actor_name is 'Of a service account; null for other actors';
comment on column audit_events.target_hint is 'First characters of an API key or a client secret';
comment on column audit_events.before is 'Previous values of the changed fields. Never a secret';
comment on column audit_events.after is 'New values of the same fields';
