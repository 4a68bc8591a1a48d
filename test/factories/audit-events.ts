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

/** What an audit event tells, without when it was. */
export interface EventOfTarget {
  action: string;
  actorId: string;
  actorEmail: string;
  address: string;
  userAgent: string | null;
  targetKind: string;
  targetId: string;
  targetName: string;
  targetHint: string | null;
  before: unknown;
  after: unknown;
}

/** The audit events about one thing, the oldest first. */
export function findAuditEvents({ query }: TestApp, targetId: string): Promise<EventOfTarget[]> {
  return query<EventOfTarget>(
    `select action, actor_id as "actorId", actor_email as "actorEmail", address, user_agent as "userAgent",
       target_kind as "targetKind", target_id as "targetId", target_name as "targetName", target_hint as "targetHint",
       before, after
     from audit_events where target_id = $1 order by id`,
    [targetId],
  );
}

interface AuditEventRow {
  action: string;
  actor_id: string | null;
  actor_email: string | null;
  target_kind: string;
  target_id: string | null;
  target_name: string | null;
  before: unknown;
  after: unknown;
}

/** What the audit log of an organization holds, the oldest first. */
export function readEvents(service: TestApp, organizationId: string): Promise<AuditEventRow[]> {
  return service.query<AuditEventRow>('select * from audit_events where organization_id = $1 order by id', [
    organizationId,
  ]);
}

/** Makes every audit event fail to be written, for as long as the action takes. */
export async function withoutAudit<Result>({ query }: TestApp, action: () => Promise<Result>): Promise<Result> {
  await query('alter table audit_events rename to audit_events_away');
  return action().finally(() => query('alter table audit_events_away rename to audit_events'));
}
