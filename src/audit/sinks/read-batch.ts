import type { DataSource } from 'typeorm';
import { eventLine } from '../proofs/export-lines.js';
import { type ProvenEventRow, provenEventColumns } from '../proofs/proven-event.js';
import type { SinkBatch, SinkEvent } from './sink.js';

const maxBatchCharacters = 4 * 1024 * 1024;

interface Row extends Omit<ProvenEventRow, 'id'> {
  /** Null if the event was deleted because of its age. */
  id: string | null;
  index: number;
  position: number;
}

const readNext = `
  select ${provenEventColumns}, index::float8 as index, position::float8 as position
  from audit_leaves left join audit_events on audit_events.id = event_id
  where position > $1 order by position limit $2`;

/** Reads the events after a position, in the order in which they were hashed; undefined if there are none. */
export async function readBatch(
  dataSource: DataSource,
  after: number,
  maxEvents: number,
): Promise<SinkBatch | undefined> {
  const rows = await dataSource.query<Row[]>(readNext, [after, maxEvents]);
  const events: SinkEvent[] = [];
  let characters = 0;
  let last = after;
  for (const { id, index, position, ...columns } of rows) {
    if (characters > maxBatchCharacters) break;
    last = position;
    if (id === null) continue;
    const event = { ...columns, id };
    const line = eventLine(index, event).trimEnd();
    characters += line.length;
    events.push({ line, action: event.action, occurredAt: event.occurredAt });
  }
  return rows[0] === undefined ? undefined : { events, first: rows[0].position, last };
}
