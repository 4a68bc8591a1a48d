import type { DataSource } from 'typeorm';
import type { AuditPersonDto } from './dto/audit-event.dto.js';
import type { AuditEventRow } from './read-audit-events.js';

const selectAuditPeople = `
  select users.id, users.email, users.name
  from memberships join users on users.id = memberships.user_id
  where memberships.organization_id = $1 and users.email = any ($2::text[])
  union all
  select former.user_id, former.email, former.name
  from former_members former
  where former.organization_id = $1 and former.email = any ($2::text[])
    and not exists (
      select from memberships join users on users.id = memberships.user_id
      where memberships.organization_id = $1 and users.email = former.email
    )
    and not exists (
      select from former_members later
      where later.organization_id = $1 and later.email = former.email and later.removed_at > former.removed_at
    )`;

/** Names the current and former members whose emails are in these events of the organization, as actors or targets. */
export function readAuditPeople(
  dataSource: DataSource,
  organizationId: string,
  events: readonly Pick<AuditEventRow, 'actorEmail' | 'targetKind' | 'targetName'>[],
): Promise<AuditPersonDto[]> {
  const emails = events.flatMap(({ actorEmail, targetKind, targetName }) => [
    actorEmail,
    targetKind === 'member' || targetKind === 'user' ? targetName : null,
  ]);
  const found = [...new Set(emails.filter((email) => email !== null))];
  return dataSource.query<AuditPersonDto[]>(selectAuditPeople, [organizationId, found]);
}
