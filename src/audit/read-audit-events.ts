import type { DataSource } from 'typeorm';
import { type AuditEvent, isAboutPerson } from './audit-event.entity.js';
import type { AuditEventsFilterDto } from './dto/audit-events-query.dto.js';

export type AuditEventRow = Omit<AuditEvent, 'organization' | 'organizationId'>;

/** The position of an event in the order of events. */
export type AuditPosition = Pick<AuditEvent, 'occurredAt' | 'id'>;

/** An organization and filters. */
export interface AuditSelection extends Omit<AuditEventsFilterDto, 'targetHint'> {
  organizationId: string;
  /** Ids of the only targets; see `findTargets`. */
  targetIds?: string[] | undefined;
}

interface Page {
  /** Returns older events only. Undefined starts with the newest. */
  after: AuditPosition | undefined;
  /** The maximum number of events. */
  count: number;
}

/** Events that an export holds in memory. */
const batchSize = 500;

/** The columns of an event, in queries that may join `audit_events` with other tables. */
export const auditEventColumns = `
  audit_events.id, audit_events.occurred_at as "occurredAt", action, actor_id as "actorId", actor_email as "actorEmail",
  actor_kind as "actorKind", actor_name as "actorName", address, user_agent as "userAgent", request_id as "requestId",
  target_kind as "targetKind", target_id as "targetId", target_name as "targetName", target_hint as "targetHint",
  before, after`;

/** Conditions of a selection. PostgreSQL removes those of unused filters before it chooses an index. */
export const auditEventFilters = `
  organization_id = $1
  and ($2::uuid is null or actor_id = $2)
  and ($3::text is null or actor_email = $3)
  and ($4::text is null or action = $4)
  and ($5::text is null or target_kind = $5)
  and ($6::uuid is null or target_id = $6)
  and ($7::uuid[] is null or target_id = any ($7))
  and ($8::timestamptz is null or audit_events.occurred_at >= $8)
  and ($9::timestamptz is null or audit_events.occurred_at < $9)
  and ($10::text is null or ${isAboutPerson} and target_name = $10)
  and ($11::text is null or request_id = $11)`;

export const selectAuditEvents = `
  select ${auditEventColumns}
  from audit_events
  where ${auditEventFilters}
    and ($12::timestamptz is null or (occurred_at, id) < ($12, $13::uuid))
  order by occurred_at desc, id desc
  limit $14`;

/** The parameters of `auditEventFilters`. */
export function auditFilterParameters(selection: AuditSelection): unknown[] {
  const { organizationId, actorId, actorEmail, action, targetKind, targetId, targetIds, from, to } = selection;
  const { targetEmail, requestId } = selection;
  return [
    organizationId,
    actorId,
    actorEmail,
    action,
    targetKind,
    targetId,
    targetIds,
    from,
    to,
    targetEmail,
    requestId,
  ];
}

export function auditEventsParameters(selection: AuditSelection, { after, count }: Page): unknown[] {
  return [...auditFilterParameters(selection), after?.occurredAt, after?.id, count];
}

/** Reads a page of matching events, newest first. */
export function readAuditEvents(
  dataSource: DataSource,
  selection: AuditSelection,
  page: Page,
): Promise<AuditEventRow[]> {
  return dataSource.query<AuditEventRow[]>(selectAuditEvents, auditEventsParameters(selection, page));
}

/**
 * Reads all matching events in batches, newest first. Holds neither a connection nor a transaction between batches, so a
 * slow consumer blocks no one.
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

/**
 * Ids of the keys or service accounts whose secret has, or had before a rotation, this hint. A query of its own, because
 * PostgreSQL would choose an index for the events without knowing how few targets there are.
 */
export async function findTargets(dataSource: DataSource, organizationId: string, hint: string): Promise<string[]> {
  const rows = await dataSource.query<{ id: string }[]>(
    'select distinct target_id as id from audit_events where organization_id = $1 and target_hint = $2',
    [organizationId, hint],
  );
  return rows.map(({ id }) => id);
}

/** The position of an event; undefined if the organization has none with this id. */
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
