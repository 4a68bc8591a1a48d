-- Mail: its queue, what users turned off, and the devices they sign in from.

alter table users add muted_mail text[] not null default '{}';
comment on column users.muted_mail is 'Kinds of mail that the user has turned off';

create table mail_messages (
  id uuid not null,
  kind text not null,
  email text not null,
  user_id uuid,
  organization_id uuid,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  constraint mail_messages_pkey primary key (id),
  constraint mail_messages_user_id_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint mail_messages_organization_id_fkey
    foreign key (organization_id) references organizations (id) on delete cascade
);
create index mail_messages_due on mail_messages (next_attempt_at, id);
create index mail_messages_by_user on mail_messages (user_id) where user_id is not null;
create index mail_messages_by_organization on mail_messages (organization_id) where organization_id is not null;
comment on table mail_messages is 'Mail that waits to be sent. A row is deleted once the server has accepted it';
comment on column mail_messages.id is
  'The secret of a link is derived from it and JWT_SECRET when the mail is sent, so it isn''t stored';
comment on column mail_messages.user_id is 'Null for invitations, and for requests of a new password';
comment on column mail_messages.data is 'What the text names. Never a secret';
comment on column mail_messages.next_attempt_at is
  'While a replica sends the mail, when others may send it again, in case that replica was killed';

create table mail_progress (
  id boolean not null default true,
  position bigint not null,
  constraint mail_progress_pkey primary key (id),
  constraint mail_progress_single check (id)
);
comment on table mail_progress is 'One row: the position of the last event whose mail was queued';

create table known_devices (
  user_id uuid not null,
  mark bytea not null,
  seen_at timestamptz(3) not null default now(),
  constraint known_devices_pkey primary key (user_id, mark),
  constraint known_devices_user_id_fkey foreign key (user_id) references users (id) on delete cascade
);
create index known_devices_by_time on known_devices (seen_at);
comment on table known_devices is 'Browsers and networks from which users signed in, as hashes';
comment on column known_devices.mark is 'SHA-256 of the browser without its version, or of the network';
