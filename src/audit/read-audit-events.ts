import type { DataSource } from 'typeorm';
import type { AuditEvent } from './audit-event.entity.js';
import type { AuditEventsFilterDto } from './dto/audit-events-query.dto.js';

export type AuditEventRow = Omit<AuditEvent, 'organization' | 'organizationId'>;

/** Where an event stands in the order of events. */
export type AuditPosition = Pick<AuditEvent, 'occurredAt' | 'id'>;

/** Which events of which organization. */
export interface AuditSelection extends AuditEventsFilterDto {
  organizationId: string;
}

interface Part {
  /** Only what is older; from the newest on when undefined. */
  after: AuditPosition | undefined;
  /** How many at most. */
  count: number;
}

/** How many events an export holds in memory at once. */
const batchSize = 500;

/** Conditions on what is not asked for are gone before PostgreSQL chooses an index. */
export const selectAuditEvents = `
  select id, occurred_at as "occurredAt", action, actor_id as "actorId", actor_email as "actorEmail", address,
    user_agent as "userAgent", target_kind as "targetKind", target_id as "targetId", target_name as "targetName",
    target_hint as "targetHint", before, after
  from audit_events
  where organization_id = $1
    and ($2::uuid is null or actor_id = $2)
    and ($3::text is null or actor_email = $3)
    and ($4::text is null or action = $4)
    and ($5::text is null or target_kind = $5)
    and ($6::uuid is null or target_id = $6)
    and ($7::timestamptz is null or occurred_at >= $7)
    and ($8::timestamptz is null or occurred_at < $8)
    and ($9::timestamptz is null or (occurred_at, id) < ($9, $10::uuid))
  order by occurred_at desc, id desc
  limit $11`;

export function auditEventsParameters(selection: AuditSelection, { after, count }: Part): unknown[] {
  const { organizationId, actorId, actorEmail, action, targetKind, targetId, from, to } = selection;
  const filters = [actorId, actorEmail, action, targetKind, targetId, from, to];
  return [organizationId, ...filters, after?.occurredAt, after?.id, count];
}

/** The newest of the events that are asked for, newest first. */
export function readAuditEvents(
  dataSource: DataSource,
  selection: AuditSelection,
  part: Part,
): Promise<AuditEventRow[]> {
  return dataSource.query<AuditEventRow[]>(selectAuditEvents, auditEventsParameters(selection, part));
}

/**
 * All events that are asked for, newest first, a part at a time. Between the parts nothing is held, neither a
 * connection nor a transaction: however slowly they are taken, nobody else has to wait.
 */
export async function* readAllAuditEvents(
  dataSource: DataSource,
  selection: AuditSelection,
): AsyncGenerator<AuditEventRow[], undefined> {
  let batch: AuditEventRow[] = [];
  do {
    batch = await readAuditEvents(dataSource, selection, { after: batch.at(-1), count: batchSize });
    yield batch;
  } while (batch.length === batchSize);
}

/** Where the event with this id stands; undefined when the organization has none. */
export async function findAuditPosition(
  dataSource: DataSource,
  organizationId: string,
  id: string,
): Promise<AuditPosition | undefined> {
  const [position] = await dataSource.query<AuditPosition[]>(
    'select id, occurred_at as "occurredAt" from audit_events where organization_id = $1 and id = $2',
    [organizationId, id],
  );
  return position;
}
