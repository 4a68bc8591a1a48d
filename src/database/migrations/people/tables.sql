-- Former members, and who created deleted API keys.

create table former_members (
  organization_id uuid not null,
  user_id uuid not null,
  email text not null,
  name text not null,
  role text,
  joined_at timestamptz(3),
  removed_at timestamptz(3) not null default clock_timestamp(),
  constraint former_members_pkey primary key (organization_id, user_id),
  constraint former_members_organization_id_fkey
    foreign key (organization_id) references organizations (id) on delete cascade
);
create index former_members_by_removal on former_members (organization_id, removed_at, user_id);
comment on table former_members is
  'People who left an organization or were removed, as they were at the time. Stays if they join again: a membership counts';
comment on column former_members.user_id is 'No foreign key, because the row outlives the account';
comment on column former_members.role is 'Name of their last role; null: unknown';
comment on column former_members.joined_at is 'Null: unknown, for members removed by earlier releases';

-- Members whom earlier releases removed, as far as they still have an account.
insert into former_members (organization_id, user_id, email, name, role, removed_at)
select provisioned.organization_id, provisioned.user_id, users.email, users.name, removal.role,
  coalesce(removal.occurred_at, provisioned.updated_at)
from provisioned_memberships provisioned
join organizations on organizations.id = provisioned.organization_id and organizations.deleted_at is null
join users on users.id = provisioned.user_id
left join lateral (
  select occurred_at, before ->> 'role' as role from audit_events
  where audit_events.organization_id = provisioned.organization_id and action = 'member.delete'
    and target_name = users.email
  order by occurred_at desc limit 1
) as removal on true
where not exists (
  select from memberships
  where memberships.organization_id = provisioned.organization_id and memberships.user_id = provisioned.user_id
);

alter table deleted_api_keys add created_by_id uuid, add created_by_service_account_id uuid;
comment on column deleted_api_keys.created_by_id is
  'The user who created the key, without a foreign key; null: a service account did, or unknown';
comment on column deleted_api_keys.created_by_service_account_id is 'The service account that created the key, if one did';
