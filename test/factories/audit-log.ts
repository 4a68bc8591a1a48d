import { v7 as uuidv7 } from 'uuid';
import type { AuditEventRow } from '../../src/audit/read-audit-events.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { DataSource } from 'typeorm';
import type { TestApp } from '../setup/test-app.js';
import type { Member } from './organizations.js';

export const testOrigin = { address: '203.0.113.7', userAgent: 'a test' };

/** Records the creation of a key by the member through the service and returns the key's id. */
export async function recordKeyCreation({ app }: TestApp, member: Member, name: string): Promise<string> {
  const id = uuidv7();
  const { userId, organizationId } = member;
  await app.get(AuditService).record(
    app.get(DataSource).manager,
    { id: userId, organizationId, origin: testOrigin },
    {
      action: 'api-key.create',
      target: { kind: 'api-key', id, name, hint: 'kc_4fT9q' },
      after: { name },
    },
  );
  return id;
}

/** Inserts events directly, with any time and target. */
export async function insertAuditEvents(
  { query }: TestApp,
  { organizationId, userId }: { organizationId: string | null; userId: string },
  events: Partial<AuditEventRow>[],
): Promise<string[]> {
  const rows = events.map((event) => ({ id: uuidv7(), occurredAt: new Date(), actorId: userId, ...event }));
  // Databases of earlier releases have no such column.
  const hasRequests = events.some((event) => event.requestId !== undefined);
  const requestId = hasRequests ? { column: ', request_id', value: ', "requestId"' } : { column: '', value: '' };
  await query(
    `insert into audit_events (id, organization_id, occurred_at, action, actor_id, actor_email, actor_kind,
       actor_name, address, user_agent, target_kind, target_id, target_name, target_hint, before, after${requestId.column})
     select id, $1, "occurredAt", coalesce(action, 'sign-in'), "actorId", "actorEmail", coalesce("actorKind", 'user'),
       "actorName", coalesce(address, '203.0.113.7'), "userAgent", coalesce("targetKind", 'user'), "targetId", "targetName", "targetHint", before, after${requestId.value}
     from jsonb_to_recordset($2) as event (id uuid, "occurredAt" timestamptz, action text, "actorId" uuid,
       "actorEmail" text, "actorKind" text, "actorName" text, address text, "userAgent" text, "targetKind" text, "targetId" uuid, "targetName" text,
       "targetHint" text, before jsonb, after jsonb, "requestId" text)`,
    [organizationId, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}

/** Inserts sign-ins, one for each second before 2026. Each has a user agent of this length. */
export async function insertManySignIns(
  { query }: TestApp,
  { organizationId, userId }: Member,
  count: number,
  characters = 1,
): Promise<void> {
  await query(
    `insert into audit_events (id, organization_id, occurred_at, action, actor_id, actor_email, address, user_agent,
       target_kind, target_id, target_name)
     select gen_random_uuid(), $1, timestamptz '2026-01-01T00:00:00Z' - number * interval '1 second', 'sign-in', $2,
       'ada@example.com', '203.0.113.7', repeat('x', $4), 'user', $2, 'ada@example.com'
     from generate_series(1, $3) as number`,
    [organizationId, userId, count, characters],
  );
}
