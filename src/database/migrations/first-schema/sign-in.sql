-- Sessions, password resets, sign-out by the identity provider, and limits on sign-in attempts.

create table sessions (
  id uuid not null,
  user_id uuid not null,
  organization_id uuid not null,
  family_hash bytea not null,
  secret_hash bytea not null,
  previous_secret_hash bytea,
  rotation_nonce bytea,
  rotated_at timestamptz(3),
  address text not null,
  user_agent text,
  issuer text,
  provider_session_id text,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint "PK_3238ef96f18b355b671619111bc" primary key (id),
  constraint "UQ_fcc8717b658155a0bcd541c0da5" unique (family_hash),
  constraint "FK_085d540d9f418cfbdc7bd55bb19" foreign key (user_id) references users (id) on delete cascade,
  constraint "FK_a9e3486bb3e8509466d4c9d6c93"
    foreign key (organization_id) references organizations (id) on delete cascade
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_organization on sessions (organization_id);
create index sessions_by_provider_session on sessions (issuer, provider_session_id)
  where provider_session_id is not null;
comment on table sessions is
  'Signed-in browsers and clients. Ending a session deletes the row; the audit log keeps the event';
comment on column sessions.organization_id is 'The organization of new access tokens';
comment on column sessions.family_hash is 'SHA-256 of the part that all refresh tokens of the session share';
comment on column sessions.secret_hash is 'SHA-256 of the secret part of the latest refresh token';
comment on column sessions.previous_secret_hash is 'SHA-256 of the secret part of the previous refresh token';
comment on column sessions.rotation_nonce is
  'Derives the latest refresh token from the previous one, so that a repeated refresh gets the same successor';
comment on column sessions.address is 'IP address of the sign-in or last refresh';
comment on column sessions.issuer is 'iss of the identity provider; null: signed in with a password';
comment on column sessions.provider_session_id is 'sid, the user''s session at the identity provider, if known';
comment on column sessions.last_used_at is 'When the session was opened or last refreshed';

create table password_resets (
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint "PK_f7a4c3bc48f24df007936d217be" primary key (user_id),
  constraint "UQ_323290a9239ad3d397ad78018ec" unique (token_hash),
  constraint "FK_f7a4c3bc48f24df007936d217be" foreign key (user_id) references users (id) on delete cascade
);
comment on table password_resets is
  'Open password reset links, one per account. A new link replaces the row; using it deletes the row';
comment on column password_resets.token_hash is 'SHA-256 of the token in the link';

create table logout_tokens (
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  constraint logout_tokens_pkey primary key (token_hash)
);
comment on table logout_tokens is 'Used logout tokens of the identity provider, which must not be used again';
comment on column logout_tokens.token_hash is 'SHA-256 of the token';

create table provider_logouts (
  id uuid not null,
  subject_hash bytea,
  session_hash bytea,
  issued_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint provider_logouts_pkey primary key (id)
);
create index provider_logouts_by_subject on provider_logouts (subject_hash);
create index provider_logouts_by_session on provider_logouts (session_hash);
comment on table provider_logouts is
  'Subjects and sessions that the identity provider has signed out. Tokens that it issued to them before are rejected';
comment on column provider_logouts.subject_hash is
  'SHA-256 of issuer and subject; null: the provider named only the session';
comment on column provider_logouts.session_hash is
  'SHA-256 of issuer and session; null: all sessions of the subject were signed out';
comment on column provider_logouts.expires_at is 'When all of the rejected tokens have expired';

create table rate_limits (
  key varchar(255) not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey primary key (key)
);
comment on table rate_limits is
  'Counters of sign-in attempts and other rare operations. The package rate-limiter-flexible names the columns';
comment on column rate_limits.expire is 'When the counter starts again, in milliseconds since 1970; null: never';
