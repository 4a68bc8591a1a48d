import type { DataSource } from 'typeorm';
import { foldTextSql } from '../common/validation/fold-text.js';
import { type FoundAuditActorDto, maxActors } from './dto/audit-actor.dto.js';

interface ActorSearch {
  organizationId: string;
  /** Part of a name or email, or an id. */
  search: string;
  /** Whether to search and return the names of people. */
  namesPeople: boolean;
}

/** SQL for the next value of an indexed column: reads one entry per actor, however many events each has. */
const nextValue = (column: string, condition: string) => `
  select ${column} from audit_events where organization_id = $1 and ${condition} order by ${column} limit 1`;

const latestEvent = 'order by occurred_at desc, id desc limit 1';

export const selectAuditActors = `
  with recursive emails (email) as (
    (${nextValue('actor_email', 'actor_email is not null')})
    union all
    select (${nextValue('actor_email', 'actor_email > emails.email')}) from emails where email is not null
  ), ids (id) as (
    (${nextValue('actor_id', 'actor_id is not null')})
    union all
    select (${nextValue('actor_id', 'actor_id > ids.id')}) from ids where id is not null
  ), actors as (
    select 'user' as kind, latest.actor_id as id, emails.email, case when $3 then coalesce(former.name, users.name) end as name
    from emails
    cross join lateral (
      select actor_id from audit_events where organization_id = $1 and actor_email = emails.email ${latestEvent}
    ) as latest
    left join users on users.id = latest.actor_id
    left join lateral (
      select name from former_members
      where organization_id = $1 and (user_id = latest.actor_id or email = emails.email)
        and not exists (
          select from memberships
          where memberships.organization_id = $1 and memberships.user_id = former_members.user_id
        )
      order by removed_at desc limit 1
    ) as former on true
    union all
    select actor_kind, ids.id, null, actor_name
    from ids
    cross join lateral (
      select actor_kind, actor_name from audit_events where organization_id = $1 and actor_id = ids.id ${latestEvent}
    ) as latest
    where actor_kind = 'service-account'
  )
  select kind, id, email, name from actors
  where strpos(${foldTextSql('name')}, ${foldTextSql('$2')}) > 0
    or strpos(${foldTextSql('email')}, ${foldTextSql('$2')}) > 0
    or id::text = $2
  order by ${foldTextSql('coalesce(name, email)')}, id
  limit ${maxActors}`;

export function auditActorsParameters({ organizationId, search, namesPeople }: ActorSearch): unknown[] {
  return [organizationId, search, namesPeople];
}

/**
 * Finds who did what the organization's events say, including former members, deleted accounts and the operator. Events
 * have the emails of people; their names come from their accounts, or for former members from when they left.
 */
export function readAuditActors(dataSource: DataSource, search: ActorSearch): Promise<FoundAuditActorDto[]> {
  return dataSource.query<FoundAuditActorDto[]>(selectAuditActors, auditActorsParameters(search));
}
