-- Service accounts, and the API keys that they and people create.

create table service_accounts (
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  role_id uuid not null,
  hint text not null,
  secret_hash bytea not null,
  secret_version integer not null default 1,
  previous_secret_hash bytea,
  previous_secret_expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  constraint "PK_e2fb216fdc1db94c5e4da7d88fa" primary key (id),
  constraint "FK_ec5d48b8cb04b1a581453edee94"
    foreign key (organization_id) references organizations (id) on delete cascade,
  constraint "FK_aaa150988c3c497e5087a94273f"
    foreign key (organization_id, role_id) references roles (organization_id, id)
);
create index service_accounts_by_creation on service_accounts (organization_id, created_at, id);
create index service_accounts_by_role on service_accounts (organization_id, role_id);
comment on table service_accounts is
  'Access of programs to the management API of one organization, with one role of the same organization';
comment on column service_accounts.id is 'Also the OAuth client id';
comment on column service_accounts.hint is 'First characters of the client secret';
comment on column service_accounts.secret_hash is 'SHA-256 of the client secret';
comment on column service_accounts.secret_version is
  'Increased by each rotation. Access tokens name the version of the secret that they were issued for';
comment on column service_accounts.previous_secret_hash is
  'SHA-256 of the client secret from before the last rotation, accepted until previous_secret_expires_at';
comment on column service_accounts.last_used_at is 'When it last got an access token';

create table api_keys (
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  folded_name text collate "C" not null,
  hint text not null,
  secret_hash bytea not null,
  previous_secret_hash bytea,
  previous_secret_hint text,
  previous_secret_expires_at timestamptz(3),
  previous_secret_last_used_at timestamptz(3),
  rotated_at timestamptz(3),
  expires_at timestamptz(3),
  enabled boolean not null default true,
  models text[],
  addresses text[],
  limits jsonb,
  organization_limited boolean not null default false,
  note text,
  created_by_id uuid,
  created_by_service_account_id uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  last_used_address text,
  constraint "PK_5c8a79801b44bd27b79228e1dad" primary key (id),
  constraint "UQ_fef9aa4a1cf4f8c063ac5d75f2e" unique (secret_hash),
  constraint "FK_a283bdef18876e525aefaec042f"
    foreign key (organization_id) references organizations (id) on delete cascade,
  constraint "FK_3afd227c6cb003779abe2a88b4e" foreign key (created_by_id) references users (id) on delete set null,
  constraint "FK_32525ed669aec37dcabe4dc214b"
    foreign key (created_by_service_account_id) references service_accounts (id) on delete set null
);
create unique index api_keys_by_previous_hash on api_keys (previous_secret_hash) where previous_secret_hash is not null;
create index api_keys_by_creation on api_keys (organization_id, created_at, id);
create index api_keys_by_name on api_keys (organization_id, folded_name, id);
create index api_keys_by_expiry on api_keys (organization_id, expires_at, id);
create index api_keys_by_creator on api_keys (created_by_id);
create index api_keys_by_creating_service_account on api_keys (created_by_service_account_id)
  where created_by_service_account_id is not null;
comment on table api_keys is
  'API keys. Only hashes of their secrets are stored. Keys belong to the organization and outlive their creator';
comment on column api_keys.folded_name is
  'The name in NFKC and lower case, for searching and sorting. SQL''s lower() depends on the database''s locale';
comment on column api_keys.hint is 'First characters of the secret';
comment on column api_keys.secret_hash is 'SHA-256 of the secret, which a rotation replaces';
comment on column api_keys.previous_secret_hash is
  'SHA-256 of the secret from before the last rotation, accepted until previous_secret_expires_at; null: none';
comment on column api_keys.previous_secret_hint is 'First characters of the previous secret';
comment on column api_keys.previous_secret_expires_at is 'Never later than expires_at';
comment on column api_keys.previous_secret_last_used_at is
  'When the previous secret was last used, accurate to two seconds. Uses before the rotation count; null: never';
comment on column api_keys.expires_at is 'From this time on, the key is rejected; null: never';
comment on column api_keys.enabled is 'False: requests are rejected with 403';
comment on column api_keys.models is
  'Ids or aliases of the models that the key may use; null: all, including future ones';
comment on column api_keys.addresses is 'IP addresses and ranges that may use the key; null: all';
comment on column api_keys.limits is
  'Limits of the key: [{metric, per, max}]; null: none. Their counters are in limit_counters';
comment on column api_keys.organization_limited is
  'Whether the organization has limits. Without it, each request would need a second lookup';
comment on column api_keys.note is 'For the people who manage keys';
comment on column api_keys.last_used_at is
  'Accurate to two seconds; null: never. Not indexed, because every request would write to the indexes';
comment on column api_keys.last_used_address is 'IP address of a client that used the key at last_used_at';

create table deleted_api_keys (
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  hint text not null,
  deleted_at timestamptz(3) not null default now(),
  constraint "PK_94027d66addd5538157bd3ae705" primary key (id),
  constraint "FK_3060d6b928960c08717a28157a2"
    foreign key (organization_id) references organizations (id) on delete cascade
);
create index deleted_api_keys_by_organization on deleted_api_keys (organization_id);
comment on table deleted_api_keys is 'Names and hints of deleted API keys, for usage reports';
comment on column deleted_api_keys.id is 'Id of the deleted key';

create table idempotency_keys (
  hash bytea not null,
  organization_id uuid not null,
  body_hash bytea not null,
  api_key_id uuid not null,
  expires_at timestamptz(3) not null,
  constraint "PK_c4c4dde87e60b16dad3ee9cb190" primary key (hash),
  constraint "FK_12d9576ef013c5bd4eead32afd0"
    foreign key (organization_id) references organizations (id) on delete cascade
);
create index idempotency_keys_by_organization on idempotency_keys (organization_id);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);
comment on table idempotency_keys is
  'Requests with an Idempotency-Key that created or rotated an API key. Repeats are rejected until the row expires';
comment on column idempotency_keys.hash is 'SHA-256 of organization, principal, route and header';
comment on column idempotency_keys.body_hash is 'SHA-256 of the validated body';
comment on column idempotency_keys.api_key_id is
  'No foreign key, because the API key may be deleted before the row expires';
comment on column idempotency_keys.expires_at is 'After 24 hours';
