import { csvLine } from '../common/rules/csv-line.js';
import type { AuditEventRow } from './read-audit-events.js';

/** The columns of an export. */
const columns: [name: string, read: (event: AuditEventRow) => string | null][] = [
  ['id', ({ id }) => id],
  ['occurredAt', ({ occurredAt }) => occurredAt.toISOString()],
  ['actorId', ({ actorId }) => actorId],
  ['actorEmail', ({ actorEmail }) => actorEmail],
  ['address', ({ address }) => address],
  ['userAgent', ({ userAgent }) => userAgent],
  ['action', ({ action }) => action],
  ['targetKind', ({ targetKind }) => targetKind],
  ['targetId', ({ targetId }) => targetId],
  ['targetName', ({ targetName }) => targetName],
  ['targetHint', ({ targetHint }) => targetHint],
  ['before', ({ before }) => before && JSON.stringify(before)],
  ['after', ({ after }) => after && JSON.stringify(after)],
  ['actorKind', ({ actorKind }) => actorKind],
  ['actorName', ({ actorName }) => actorName],
];

/** Yields a CSV file in chunks, with the column names in the first line. */
export async function* toCsv(
  first: IteratorResult<AuditEventRow[]>,
  rest: AsyncIterator<AuditEventRow[]>,
): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  for (let part = first; !part.done; part = await rest.next()) yield part.value.map(toLine).join('');
}

function toLine(event: AuditEventRow): string {
  return csvLine(columns.map(([, read]) => read(event)));
}
