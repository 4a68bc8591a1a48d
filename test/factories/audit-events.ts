import type { TestApp } from '../setup/test-app.js';

export interface RecordedEvent {
  action: string;
  actorId: string | null;
  actorEmail: string | null;
  organizationId: string | null;
  address: string;
  userAgent: string | null;
  targetKind: string;
  targetId: string | null;
}

/** The events whose actor has this id or address, oldest first. */
export function eventsOf({ query }: TestApp, idOrEmail: string): Promise<RecordedEvent[]> {
  return query<RecordedEvent>(
    `select action, actor_id as "actorId", actor_email as "actorEmail", organization_id as "organizationId", address,
            user_agent as "userAgent", target_kind as "targetKind", target_id as "targetId"
       from audit_events where $1 in (actor_id::text, actor_email) order by id`,
    [idOrEmail],
  );
}

/** Makes every audit event fail to be written, for as long as the action takes. */
export async function withoutAudit<Result>({ query }: TestApp, action: () => Promise<Result>): Promise<Result> {
  await query('alter table audit_events rename to audit_events_away');
  return action().finally(() => query('alter table audit_events_away rename to audit_events'));
}
