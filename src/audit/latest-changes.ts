import type { DataSource } from 'typeorm';
import { countTargets, type EventItem, groupEvents, mayGrow } from '../common/rules/event-groups.js';
import type { AuditAction } from './audit-actions.js';
import type { AuditEventDto } from './dto/audit-event.dto.js';
import type { LatestChangeDto } from './dto/latest-change.dto.js';
import { auditEventColumns, type AuditEventRow } from './read-audit-events.js';
import { toDto } from './show-audit-event.js';

/** Events that changed nothing in the organization. */
const sessionActions: readonly AuditAction[] = [
  'sign-in',
  'sign-in-failed',
  'sign-in-blocked',
  'sign-out',
  'session.end',
  'session.reuse',
  'session.logout',
  'organization.switch',
];

/** How many of the newest events are searched, so that years of sign-ins don't have to be read. */
const searchedEvents = 1000;

/** How many changes are read first. Few organizations need more, unless many keys were changed at once. */
const firstBatch = 50;

/** Exported for the test of its query plan. */
export const selectLatestChanges = `
  select ${auditEventColumns}
  from (
    select * from audit_events where organization_id = $1 order by occurred_at desc, id desc limit ${searchedEvents}
  ) as audit_events
  where action <> all ($2)
  order by occurred_at desc, id desc limit $3`;

interface LatestChange {
  change: LatestChangeDto;
  /** Of the latest event. */
  row: AuditEventRow;
}

/**
 * Finds the newest events that aren't about sessions, those of one kind that a request caused as one. Reads a few events, and
 * the rest only if those make too few changes, or may lack some of their events.
 *
 * @param count the maximum number of changes
 */
export async function findLatestChanges(
  dataSource: DataSource,
  organizationId: string,
  count: number,
): Promise<LatestChange[]> {
  const read = (limit: number) =>
    dataSource.query<AuditEventRow[]>(selectLatestChanges, [organizationId, sessionActions, limit]);
  let rows = await read(firstBatch);
  const events = rows.map(toDto);
  let items = groupEvents(events);
  const oldest = events.at(-1);
  const isCut = oldest !== undefined && rows.length === firstBatch;
  if (isCut && (items.length < count || mayGrow(items.slice(0, count), oldest))) {
    rows = await read(searchedEvents);
    items = groupEvents(rows.map(toDto));
  }
  const byId = new Map(rows.map((row) => [row.id, row]));
  return items.slice(0, count).flatMap((item) => {
    const change = toChange(item);
    const row = byId.get(change.id);
    return row === undefined ? [] : [{ change, row }];
  });
}

function toChange(item: EventItem<AuditEventDto>): LatestChangeDto {
  return 'id' in item ? item : { ...item[0], count: countTargets(item) };
}
