import type { TestApp } from './test-app.js';

/** What an audit event tells, without when it was. */
export interface RecordedEvent {
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
export function findAuditEvents({ query }: TestApp, targetId: string): Promise<RecordedEvent[]> {
  return query<RecordedEvent>(
    `select action, actor_id as "actorId", actor_email as "actorEmail", address, user_agent as "userAgent",
       target_kind as "targetKind", target_id as "targetId", target_name as "targetName", target_hint as "targetHint",
       before, after
     from audit_events where target_id = $1 order by id`,
    [targetId],
  );
}

/** Runs something while no audit event can be written. */
export async function withoutAuditLog<Result>({ query }: TestApp, run: () => Promise<Result>): Promise<Result> {
  await query('alter table audit_events rename to audit_events_away');
  try {
    return await run();
  } finally {
    await query('alter table audit_events_away rename to audit_events');
  }
}
