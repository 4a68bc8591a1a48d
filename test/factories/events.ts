import type { TestApp } from '../setup/test-app.js';

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
