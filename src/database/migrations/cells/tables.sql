-- Moves of organizations between cells. docs/cells.md describes the phases and what they guarantee.

alter table database_identity add closed_organizations uuid[] not null default '{}';
comment on column database_identity.closed_organizations is
  'Organizations whose keys are rejected and whose changes are refused, because they are moving. The verification of keys '
  'reads this row anyway. Kept by a trigger of organization_moves';

create table organization_moves (
  organization_id uuid not null,
  move_id uuid not null,
  direction text not null,
  state text not null,
  is_closed boolean not null default false,
  base_url text,
  holder uuid,
  batch_number bigint not null default 0,
  batch json,
  counters json,
  started_at timestamptz(3) not null default clock_timestamp(),
  changed_at timestamptz(3) not null default clock_timestamp(),
  constraint organization_moves_pkey primary key (organization_id),
  constraint organization_moves_direction check (direction in ('out', 'in')),
  constraint organization_moves_state check (
    state in ('copying', 'draining', 'moved') or direction = 'out' and state in ('switching', 'activating')
  )
);
comment on table organization_moves is
  'The latest move of each organization to or from this database. Outlives the organization, so it has no foreign key';
comment on column organization_moves.move_id is 'The same in both databases';
comment on column organization_moves.state is
  'copying: the source serves; switching: no one does; activating: the target may, so the move can''t be canceled; '
  'draining: the target serves, and the source passes on what its last requests use; moved: complete';
comment on column organization_moves.is_closed is 'Whether keys are rejected and changes are refused';
comment on column organization_moves.base_url is 'Where the organization is now; null: unknown';
comment on column organization_moves.holder is 'The command that works on the move. An earlier one can''t continue';
comment on column organization_moves.batch_number is
  'In the source, the number of the last batch taken from it. In the target, of the last one added to it';
comment on column organization_moves.batch is 'Rows taken from the source, until the target has them; null: none';
comment on column organization_moves.counters is 'In the target: the source''s counters of limits, as far as they are counted here';

create table moved_api_keys (
  secret_hash bytea not null,
  organization_id uuid not null,
  constraint moved_api_keys_pkey primary key (secret_hash)
);
create index moved_api_keys_by_organization on moved_api_keys (organization_id);
comment on table moved_api_keys is
  'API keys of organizations that have moved away, so that requests with them learn where the organization is';
comment on column moved_api_keys.secret_hash is 'SHA-256 of the secret';
