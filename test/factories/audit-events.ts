import type { TestApp } from '../setup/test-app.js';

export interface RecordedEvent {
  action: string;
  organizationId: string | null;
  actorId: string | null;
  actorEmail: string | null;
  actorKind: string;
  actorName: string | null;
  address: string;
  userAgent: string | null;
  targetKind: string;
  targetId: string | null;
  targetName: string | null;
  targetHint: string | null;
  before: unknown;
  after: unknown;
}

interface Filter {
  organizationId?: string;
  /** An id or email. */
  actor?: string;
  targetId?: string;
}

/** Returns the matching audit events without id and time, the oldest first. */
export function readAuditEvents(
  { query }: TestApp,
  { organizationId, actor, targetId }: Filter,
): Promise<RecordedEvent[]> {
  return query<RecordedEvent>(
    `select action, organization_id as "organizationId", actor_id as "actorId", actor_email as "actorEmail",
       actor_kind as "actorKind", actor_name as "actorName", address,
       user_agent as "userAgent", target_kind as "targetKind", target_id as "targetId", target_name as "targetName",
       target_hint as "targetHint", before, after
     from audit_events
     where ($1::uuid is null or organization_id = $1)
       and ($2::text is null or $2 in (actor_id::text, actor_email))
       and ($3::uuid is null or target_id = $3)
     order by id`,
    [organizationId, actor, targetId],
  );
}

/** Runs an action while audit events can't be recorded. */
export async function withoutAudit<Result>({ query }: TestApp, action: () => Promise<Result>): Promise<Result> {
  await query('alter table audit_events rename to audit_events_away');
  return action().finally(() => query('alter table audit_events_away rename to audit_events'));
}
