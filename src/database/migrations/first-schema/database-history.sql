-- Lets replicas recognize a database that has lost changes it confirmed. See docs/scaling.md.

create table database_identity (
  id uuid not null default gen_random_uuid(),
  generation bigint not null default 0,
  lost_at timestamptz,
  constraint database_identity_pkey primary key (id)
);
create unique index database_identity_one_row on database_identity ((true));
insert into database_identity default values;
comment on table database_identity is 'One row about this database';
comment on column database_identity.generation is 'Increased each time an operator accepts a history that lacks rows';
comment on column database_identity.lost_at is 'When a replica first missed a row that it had seen; null: never';

create table database_history (
  beat bigint not null,
  token uuid not null,
  written_at timestamptz not null default clock_timestamp(),
  server_started_at timestamptz not null,
  serving_since timestamptz,
  constraint database_history_pkey primary key (beat)
);
comment on table database_history is
  'A row per second while replicas run. A database without a row that was confirmed has gone back in time';
comment on column database_history.token is 'Random, so that two databases with a common past write different rows';
comment on column database_history.server_started_at is 'Identifies the server process that wrote the row';
comment on column database_history.serving_since is
  'When this server process wrote its first row; null for the first server of the database';
