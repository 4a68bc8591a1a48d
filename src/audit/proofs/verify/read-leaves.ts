import type { EntityManager } from 'typeorm';
import { type ProvenEventRow, provenEventColumns } from '../proven-event.js';
import type { Leaf } from '../seals.js';

/** A leaf with its event. */
export interface StoredLeaf extends Leaf {
  seal: Buffer | null;
  event: ProvenEventRow | undefined;
}

interface Row extends Omit<ProvenEventRow, 'id'> {
  id: string | null;
  index: number;
  position: number;
  eventId: string;
  leafOccurredAt: Date;
  hash: Buffer;
  seal: Buffer | null;
}

const batchSize = 2000;

const readBatch = `
  select ${provenEventColumns}, index::float8 as index, position::float8 as position, event_id as "eventId",
    audit_leaves.occurred_at as "leafOccurredAt", leaf_hash as hash, seal
  from audit_leaves left join audit_events on audit_events.id = event_id
  where tree_id = $1 and index > $2 order by index limit ${batchSize}`;

/** Reads the leaves of a tree in order. */
export async function* readLeaves(
  manager: Pick<EntityManager, 'query'>,
  treeId: string,
): AsyncGenerator<StoredLeaf, undefined> {
  let rows: Row[];
  // A manipulated index may be negative.
  let last = -1e15;
  do {
    rows = await manager.query<Row[]>(readBatch, [treeId, last]);
    for (const { index, position, eventId, leafOccurredAt, hash, seal, id, ...columns } of rows) {
      const event = id === null ? undefined : { ...columns, id };
      yield { treeId, index, position, eventId, occurredAt: leafOccurredAt, hash, seal, event };
      last = index;
    }
  } while (rows.length === batchSize);
}
