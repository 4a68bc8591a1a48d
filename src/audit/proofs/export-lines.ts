import type { DataSource } from 'typeorm';
import { auditEventFilters, auditFilterParameters, type AuditSelection } from '../read-audit-events.js';
import { splitRange } from './merkle-tree.js';
import { canonicalEvent, type ProvenEventRow, provenEventColumns } from './proven-event.js';
import { readSubtrees } from './read-hashes.js';

/** Leaves that are read at a time. */
const windowSize = 1000;

const readWindow = `
  select ${provenEventColumns}, index::float8 as index
  from audit_leaves join audit_events on audit_events.id = event_id
  where tree_id = $1 and index >= $12 and index < $13 and ${auditEventFilters}
  order by index`;

type Exported = ProvenEventRow & { index: number };

interface Signed {
  size: number;
  note: string;
  publicKey: string;
}

/** The line of an event. `event` is the canonical JSON, so its bytes are what was hashed. */
export const eventLine = (index: number, event: ProvenEventRow) =>
  `{"index":${index},"event":${canonicalEvent(event)}}\n`;

/**
 * Yields matching events in the order of the tree, the hashes of the leaves between them, and at last the checkpoint. From
 * these, its root can be computed. Holds neither a connection nor a transaction between reads.
 */
export async function* exportLines(
  dataSource: DataSource,
  selection: AuditSelection,
  { size, note: checkpoint, publicKey }: Signed,
): AsyncGenerator<string> {
  const { organizationId } = selection;
  /** The first leaf that no line has contained yet. */
  let next = 0;
  for (let start = 0; start < size; start += windowSize) {
    const end = Math.min(start + windowSize, size);
    const parameters = [...auditFilterParameters(selection), start, end];
    const events = await dataSource.query<Exported[]>(readWindow, parameters);
    const gaps = new Map<number, { from: number; to: number }>();
    for (const { index } of events) {
      if (index > next) gaps.set(index, { from: next, to: index });
      next = index + 1;
    }
    // A gap at the end grows until a match follows.
    const isLast = end === size;
    if (isLast && next < size) gaps.set(size, { from: next, to: size });
    const lines = await describeGaps(dataSource, organizationId, gaps);
    yield [
      ...events.map((event) => (lines.get(event.index) ?? '') + eventLine(event.index, event)),
      lines.get(size) ?? '',
    ].join('');
  }
  yield `${JSON.stringify({ checkpoint, publicKey })}\n`;
}

/** The line of each gap, by the index of the leaf after it. */
async function describeGaps(
  dataSource: DataSource,
  treeId: string,
  gaps: ReadonlyMap<number, { from: number; to: number }>,
): Promise<Map<number, string>> {
  const parts = Array.from(gaps, ([after, gap]) => ({ after, gap, subtrees: splitRange(gap) }));
  const all = parts.flatMap(({ subtrees }) => subtrees);
  const hashes = all.length === 0 ? [] : await readSubtrees(dataSource.manager, treeId, all);
  const lines = parts.map(({ after, gap, subtrees }): [number, string] => {
    const omitted = subtrees.map(({ level }) => ({ level, hash: hashes.shift()?.toString('base64') }));
    return [after, `${JSON.stringify({ ...gap, omitted })}\n`];
  });
  return new Map(lines);
}
