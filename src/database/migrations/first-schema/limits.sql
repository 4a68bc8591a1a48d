-- Counters of what keys and organizations have used of their limits. The functions are in the neighboring files.

create table limit_counters (
  owner_id uuid not null,
  metric text not null,
  per text not null,
  organization_id uuid not null,
  level double precision not null default 0,
  level_at timestamptz not null default clock_timestamp(),
  reserved bigint not null default 0,
  reserved_before bigint not null default 0,
  generation bigint not null default 0,
  estimated double precision not null default 0,
  waiters jsonb not null default '{}',
  constraint limit_counters_pkey primary key (owner_id, metric, per),
  constraint "FK_6545e012be97838ad5dbfc8467a"
    foreign key (organization_id) references organizations (id) on delete cascade
) with (fillfactor = 50);
create index limit_counters_by_organization on limit_counters (organization_id);
comment on table limit_counters is
  'What is used of each limit. Only requests lock counters in use, in the order of the primary key, so they can''t '
  'deadlock, and administrators can''t delay them. Half-filled pages keep updates on the page';
comment on column limit_counters.owner_id is
  'Id of an API key or an organization. No foreign key, because deleting a key must not wait for requests';
comment on column limit_counters.level is
  'What was charged by level_at, without reservations; see the function limit_level';
comment on column limit_counters.reserved is 'Reserved in this generation by requests that haven''t ended';
comment on column limit_counters.reserved_before is 'Reserved in the generation before';
comment on column limit_counters.generation is
  'When the reservations were made, in periods of 150 seconds since 1970; see the function limit_generation';
comment on column limit_counters.estimated is 'The part of level that was charged without a report of usage';
comment on column limit_counters.waiters is
  'The longest-waiting requests, {since: last attempt}, both in microseconds since 1970';

-- A request that arrives, and whether it will use tokens or pages. Some must be left.
create type arrival_demand as ("position" integer, key_id uuid, organization_id uuid, tokens boolean, pages boolean);

-- The most tokens and pages that a request can use. Estimates are what refilled limits charge instead, and null if the
-- amounts are exact. A request that has waited says since when, in microseconds since 1970, and whether it gives up if
-- it has to wait any longer.
create type usage_demand as (
  "position" integer,
  key_id uuid,
  organization_id uuid,
  tokens bigint,
  pages bigint,
  estimated_tokens bigint,
  estimated_pages bigint,
  waiting_since bigint,
  is_last_attempt boolean
);
