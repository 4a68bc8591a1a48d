-- What limits need in addition to the counters of the first schema.

alter table organizations add time_zone text not null default 'UTC';
comment on column organizations.time_zone is
  'IANA name. Days, weeks and months of limits start in it';

alter table limit_counters
  add charged bigint not null default 0,
  add held bigint not null default 0,
  add held_before bigint not null default 0,
  add held_generation bigint not null default 0,
  add noticed smallint not null default 0,
  add noticed_at timestamptz;
comment on column limit_counters.metric is
  'Metric of the limit, followed by its models if it has any, such as tokens["small"]';
comment on column limit_counters.per is 'Period of the limit; empty for running requests';
comment on column limit_counters.charged is 'Like level, for costs, which may exceed 2^53 billionths';
comment on column limit_counters.held is
  'Held in held_generation by requests that run: amounts of budgets, or number of requests';
comment on column limit_counters.held_before is 'Held in the generation before';
comment on column limit_counters.held_generation is
  'In periods of 15 seconds since 1970; see the function hold_generation';
comment on column limit_counters.noticed is 'Highest percentage that was told in the period of noticed_at';
comment on column limit_counters.reserved is 'Only used by replicas of the previous release, as are the next two';

comment on column audit_events.actor_kind is
  'user, service-account or system. user also stands for unknown accounts and for the operator; system is the service';

-- Thresholds that limits have reached. A replica turns them into audit events, so that requests don't wait for locks of
-- the audit log.
create table limit_notices (
  id uuid not null default gen_random_uuid(),
  organization_id uuid not null,
  owner_id uuid not null,
  metric text not null,
  per text not null,
  models jsonb,
  percent smallint not null,
  charged bigint not null,
  max bigint not null,
  period_start timestamptz not null,
  noticed_at timestamptz not null default clock_timestamp(),
  constraint limit_notices_pkey primary key (id)
);
comment on table limit_notices is
  'Thresholds that limits have reached and that aren''t audit events yet. No foreign keys, because requests must not wait '
  'for changes of keys and organizations';
