import type { EntityManager } from 'typeorm';
import type { ApiKey } from './api-key.entity.js';
import type { LeakReporterDto } from './dto/leak-reporter.dto.js';

/**
 * The source of reports by people who manage keys. Scanners send where they found a key, and could send the same text.
 */
export const memberSource = 'member';

/** The first report since then is the one that the key shows. Reports without a credential are recorded as the service's. */
const selectReporter = `
  select kind, report.id, coalesce(member.name, former.name, account_name, report.email) as name
  from (
    select actor_kind as kind, actor_id as id, actor_name as account_name, actor_email as email
    from audit_events
    where organization_id = $1 and target_id = $2 and action = 'api-key.leak' and occurred_at >= $3
    order by occurred_at, audit_events.id limit 1
  ) as report
  left join lateral (
    select users.name from memberships join users on users.id = memberships.user_id
    where memberships.organization_id = $1 and memberships.user_id = report.id
  ) as member on true
  left join former_members as former on former.organization_id = $1 and former.user_id = report.id
  where kind <> 'system'`;

/** Who reported the leak of a key; undefined if no member or service account did, or if that is no longer known. */
export async function readLeakReporter(
  manager: EntityManager,
  { id, organizationId, leakedAt, leakedSource }: Pick<ApiKey, 'id' | 'organizationId' | 'leakedAt' | 'leakedSource'>,
): Promise<LeakReporterDto | undefined> {
  if (leakedAt === null || leakedSource !== memberSource) return undefined;
  const [reporter] = await manager.query<LeakReporterDto[]>(selectReporter, [organizationId, id, leakedAt]);
  return reporter;
}
