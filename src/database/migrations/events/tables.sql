-- Events, webhooks and their deliveries.

create table events (
  id uuid not null,
  organization_id uuid not null,
  type text not null,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  data json not null,
  position bigint,
  constraint events_pkey primary key (id),
  constraint events_position_key unique (position),
  constraint events_organization_id_fkey foreign key (organization_id) references organizations (id) on delete cascade
);
create index events_by_organization on events (organization_id);
create index events_by_time on events (occurred_at, id);
create index events_without_position on events (occurred_at, id) where position is null;
comment on table events is
  'What happened, for webhooks and other consumers: written in the transaction of the change, so an event exists exactly if '
  'its change was committed';
comment on column events.data is 'Ids, names, actor and request id. Never a secret. json, which keeps the order of fields';
comment on column events.position is
  'Order for consumers, given after the commit by the function dispatch_events; null: not yet. Ids and times aren''t such '
  'an order, because a transaction that began earlier may commit later';

create table webhooks (
  id uuid not null,
  organization_id uuid not null,
  url text not null,
  event_types text[],
  enabled boolean not null default true,
  disabled_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  due_at timestamptz,
  run_id uuid,
  woken boolean not null default false,
  is_slow boolean not null default false,
  constraint webhooks_pkey primary key (id),
  constraint webhooks_disabled_reason check (
    disabled_reason is null or (not enabled and disabled_reason in ('failing', 'gone'))
  ),
  constraint webhooks_organization_id_fkey foreign key (organization_id) references organizations (id) on delete cascade
);
create index webhooks_by_creation on webhooks (organization_id, created_at, id);
create index webhooks_due on webhooks (due_at) where due_at is not null;
comment on table webhooks is 'URLs that events are sent to';
comment on column webhooks.event_types is 'Null: all, including those of later releases';
comment on column webhooks.disabled_reason is
  'failing: the last attempt failed; gone: it responded 410; null: enabled, or disabled by a user';
comment on column webhooks.secret is 'Signs deliveries, so it can''t be hashed';
comment on column webhooks.previous_secret is 'Signs too, until previous_secret_expires_at';
comment on column webhooks.due_at is
  'When a replica should look for deliveries; null: nothing waits. While a replica delivers, when others may take over';
comment on column webhooks.run_id is 'Of the replica that delivers; null: none does';
comment on column webhooks.woken is 'Whether deliveries were added while a replica delivers';
comment on column webhooks.is_slow is
  'Whether the latest attempt failed or was slow. Such webhooks share a part of the capacity';

create table webhook_deliveries (
  id uuid not null default gen_random_uuid(),
  organization_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  kind text not null default 'event',
  status text not null default 'waiting',
  position bigint,
  attempts jsonb not null default '[]',
  next_attempt_at timestamptz(3) default now(),
  created_at timestamptz(3) not null default now(),
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_kind check (kind in ('event', 'redelivery', 'test')),
  constraint webhook_deliveries_status check (status in ('waiting', 'succeeded', 'failed')),
  constraint webhook_deliveries_organization_id_fkey
    foreign key (organization_id) references organizations (id) on delete cascade
);
create index webhook_deliveries_by_webhook on webhook_deliveries (organization_id, webhook_id, created_at, position);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, position) where status = 'waiting';
create index webhook_deliveries_by_time on webhook_deliveries (created_at);
comment on table webhook_deliveries is
  'Queue and history of deliveries. No foreign keys to webhooks and events: deleting a webhook must not wait for the '
  'deletion of a month of deliveries';
comment on column webhook_deliveries.kind is
  'event: delivered in order and retried; redelivery and test: requested by a user, attempted once, out of order';
comment on column webhook_deliveries.position is 'Of the event, and the order of delivery; null: out of order';
comment on column webhook_deliveries.attempts is
  '[{at, durationMs, status, error, response}]: status and the first kilobyte of the response, or the error';
comment on column webhook_deliveries.next_attempt_at is 'Null: none';

create table expiry_notices (
  api_key_id uuid not null,
  expires_at timestamptz(3) not null,
  days_before smallint not null,
  constraint expiry_notices_pkey primary key (api_key_id),
  constraint expiry_notices_api_key_id_fkey
    foreign key (api_key_id) references api_keys (id) on delete cascade
);
comment on table expiry_notices is 'The latest event about the expiry of each key, so that each is published once';
comment on column expiry_notices.expires_at is 'The expiry that it was about; a changed one counts anew';
comment on column expiry_notices.days_before is '7 or 1: api_key.expiring; 0: api_key.expired';

-- Keys that expired before this migration are no news.
insert into expiry_notices (api_key_id, expires_at, days_before)
select id, expires_at, 0 from api_keys where expires_at <= now();
