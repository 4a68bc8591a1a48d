-- Organizations, the people in them, and what they may do.

create table organizations (
  id uuid not null,
  name text not null,
  longest_key_lifetime_days integer,
  limits jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  constraint "PK_6b031fcd0863e3f6b44230163f9" primary key (id),
  constraint organizations_key_lifetime check (longest_key_lifetime_days between 1 and 3650)
);
comment on table organizations is 'Own API keys and roles; have users as members';
comment on column organizations.longest_key_lifetime_days is
  'Maximum lifetime of new keys, in days of 24 hours; null: no limit';
comment on column organizations.limits is
  'Limits of all keys together: [{metric, per, max}]; null: none. Their counters are in limit_counters';
comment on column organizations.deleted_at is
  'Null: not deleted. A deleted organization is kept until its audit events are deleted';

create table users (
  id uuid not null,
  email text not null,
  name text not null,
  password_hash text,
  email_verified_at timestamptz(3),
  email_verified_by text,
  password_removed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_a3ffb1c0c8416b9fc6f907b7433" primary key (id),
  constraint "UQ_97672ac88f789774dd47f7c8be3" unique (email),
  constraint users_email_verification check (
    (email_verified_at is null) = (email_verified_by is null)
    and email_verified_by in ('provider', 'first-administrator')
  )
);
comment on table users is 'People who can sign in';
comment on column users.email is 'Lower case, because emails are compared case-insensitively';
comment on column users.password_hash is
  'Argon2id, in PHC string format; null: no password, signs in through the identity provider';
comment on column users.email_verified_at is
  'Null: not verified. Accepting an invitation doesn''t verify it, because its sender sees the link too';
comment on column users.email_verified_by is 'provider, or first-administrator, whose email the operator has set';
comment on column users.password_removed_at is
  'When single sign-on removed a password that was set before the email was verified; null: never';

create table user_identities (
  id uuid not null,
  user_id uuid not null,
  issuer text not null,
  subject text not null,
  created_at timestamptz(3) not null default now(),
  constraint "PK_e23bff04e9c3e7b785e442b262c" primary key (id),
  constraint "UQ_67a7601fcd0a929b6e2a186412d" unique (user_id, issuer),
  constraint "UQ_30e43d5623aba16f806fc50cb99" unique (issuer, subject),
  constraint "FK_bf5fe01eb8cad7114b4c371cdc7" foreign key (user_id) references users (id) on delete cascade
);
comment on table user_identities is
  'Identities of users at identity providers. One per provider: an email that the provider reassigns to someone '
  'else doesn''t open the account';
comment on column user_identities.issuer is 'iss of the provider''s tokens';
comment on column user_identities.subject is
  'sub of the provider''s tokens, the only identifier that is never reassigned';

create table roles (
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  permissions text[] not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_c1433d71a4838793a49dcad46ab" primary key (id),
  -- Target of foreign keys that keep the role of a member, invitation or service account within the organization.
  constraint "UQ_fbceaa5b4ae0c529989e0fd3303" unique (organization_id, id),
  constraint "UQ_8bdcf7999d2e71031da1f4869a6" unique (organization_id, name),
  constraint "FK_c328a1ecd12a5f153a96df4509e"
    foreign key (organization_id) references organizations (id) on delete cascade
);
comment on table roles is 'Named sets of permissions in an organization';
comment on column roles.permissions is
  'Names from src/access/permissions.ts. Roles that hold all of them get new ones from a migration';

create table memberships (
  id uuid not null,
  user_id uuid not null,
  organization_id uuid not null,
  role_id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_25d28bd932097a9e90495ede7b4" primary key (id),
  constraint "UQ_d43d9c8d18fcd49de0fa44bbd79" unique (user_id, organization_id),
  constraint "FK_7c1e2fdfed4f6838e0c05ae5051" foreign key (user_id) references users (id) on delete cascade,
  constraint "FK_e5380c394ec7912046d07b54290"
    foreign key (organization_id) references organizations (id) on delete cascade,
  constraint "FK_89a3e1b70d2c9ced6b685b50380"
    foreign key (role_id, organization_id) references roles (id, organization_id)
);
create index memberships_by_role on memberships (organization_id, role_id);
create index memberships_by_joining on memberships (organization_id, created_at, id);
comment on table memberships is 'Users in organizations, each with one role of the same organization';

create table provisioned_memberships (
  user_id uuid not null,
  organization_id uuid not null,
  role_ids uuid[] not null,
  claimed_at timestamptz(0) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_c8369bf30212944006ccbab1ad9" primary key (user_id, organization_id),
  constraint "FK_575fc8db37d99f5dc95c053f3f5" foreign key (user_id) references users (id) on delete cascade,
  constraint "FK_3261f7d42374c133023b7476e23"
    foreign key (organization_id) references organizations (id) on delete cascade
);
create index provisioned_memberships_by_organization on provisioned_memberships (organization_id);
comment on table provisioned_memberships is
  'The latest roles from the identity provider, which the membership follows. A row without a membership keeps '
  'single sign-on from adding a removed member again';
comment on column provisioned_memberships.role_ids is
  'Roles of the provider that exist in the organization; empty if it removed all of them. The first is the '
  'membership''s role';
comment on column provisioned_memberships.claimed_at is 'iat of the newest token. Older tokens are ignored';

create table invitations (
  id uuid not null,
  organization_id uuid not null,
  email text not null,
  role_id uuid not null,
  token_hash bytea not null,
  invited_by_id uuid,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint "PK_5dec98cfdfd562e4ad3648bbb07" primary key (id),
  constraint "UQ_872ac94a64b3d44fc4b554780cd" unique (token_hash),
  constraint "UQ_3afc80b5ecc0276428da3e3a87f" unique (organization_id, email),
  constraint "FK_42d1dbb4d85dc3643fdc6560af0"
    foreign key (organization_id) references organizations (id) on delete cascade,
  constraint "FK_bba066d3f17b83c3663f44bb471"
    foreign key (role_id, organization_id) references roles (id, organization_id),
  constraint "FK_d4de0403dd012cf87b430af70ef" foreign key (invited_by_id) references users (id) on delete set null
);
create index invitations_by_inviter on invitations (invited_by_id);
create index invitations_by_role on invitations (organization_id, role_id);
create index invitations_by_creation on invitations (organization_id, created_at, id);
comment on table invitations is 'Open invitations. Accepting, withdrawing or replacing one deletes the row';
comment on column invitations.email is 'Lower case, as in users';
comment on column invitations.token_hash is 'SHA-256 of the token in the link';
comment on column invitations.invited_by_id is 'Null once the inviter''s account is deleted. The invitation stays open';
