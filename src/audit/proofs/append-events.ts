import type { EntityManager } from 'typeorm';
import { loadStatement } from '../../database/sql-file.js';
import type { AuditKey } from './audit-key.js';
import { storedLevels } from './read-hashes.js';
import { GrowingTree, hashLeaf, type Subtree } from './merkle-tree.js';
import { canonicalEvent, type ProvenEventRow, provenEventColumns, treeOf } from './proven-event.js';
import { type Leaf, sealLeaf, sealStart } from './seals.js';

/** Events per transaction. */
export const batchSize = 1000;
/** Key of the advisory lock of the transaction that appends. */
export const appendLock = 7_402_118_356;

export const takeStatement = loadStatement('audit/proofs/take-pending.sql', {
  parameters: [],
  fragments: { batch_size: String(batchSize), columns: provenEventColumns },
});

type PendingEvent = ProvenEventRow & { isLeaf: boolean; isOld: boolean };

interface Node extends Subtree {
  treeId: string;
  hash: Buffer;
}

/**
 * Appends a batch of committed events to their trees.
 *
 * @param manager of a transaction
 * @param key seals the leaves; undefined if the log isn't signed
 * @returns the number of events; undefined if another transaction is appending
 */
export async function appendEvents(manager: EntityManager, key: AuditKey | undefined): Promise<number | undefined> {
  const [lock] = await manager.query<{ isMine: boolean }[]>('select pg_try_advisory_xact_lock($1) as "isMine"', [
    appendLock,
  ]);
  if (lock?.isMine !== true) return undefined;
  const batch = await manager.query<PendingEvent[]>(takeStatement.text);
  const events = batch.filter(({ isLeaf }) => !isLeaf);
  if (events.length > 0) await append(manager, key, events);
  const ids = batch.map(({ id }) => id);
  if (batch[0]?.isOld === true) {
    await manager.query(
      'update audit_state set backfilled_to = (select id from unnest($1::uuid[]) as id order by id desc limit 1)',
      [ids],
    );
  } else {
    await manager.query('delete from audit_pending where event_id = any ($1)', [ids]);
    await manager.query('update audit_state set backfilled_to = null where backfilled_to is not null');
  }
  return batch.length;
}

async function append(manager: EntityManager, key: AuditKey | undefined, events: ProvenEventRow[]): Promise<void> {
  const trees = await readTrees(manager, [...new Set(events.map(treeOf))]);
  let position = await lastPosition(manager);
  if (key !== undefined) await recordSeals(manager, key, position + 1);
  const leaves = events.map((event) => ({
    treeId: treeOf(event),
    position: ++position,
    eventId: event.id,
    occurredAt: event.occurredAt,
    hash: hashLeaf(canonicalEvent(event)),
  }));
  await insertLeaves(manager, key, leaves, trees);
}

/**
 * Appends leaves to their trees.
 *
 * @param manager of a transaction that has the lock
 * @param added in order, with positions after all others
 * @param trees by id; one that is missing is new
 */
export async function insertLeaves(
  manager: EntityManager,
  key: AuditKey | undefined,
  added: readonly Omit<Leaf, 'index'>[],
  trees: Map<string, GrowingTree>,
): Promise<void> {
  const nodes: Node[] = [];
  const leaves = added.map((one) => {
    const { treeId } = one;
    const tree = trees.get(treeId) ?? GrowingTree.empty();
    trees.set(treeId, tree);
    const leaf = { ...one, index: tree.size };
    tree.append(leaf.hash, 0, (subtree, hash) => {
      if (subtree.level % storedLevels === 0) nodes.push({ treeId, ...subtree, hash });
    });
    return { ...leaf, seal: key === undefined ? null : sealLeaf(key, leaf) };
  });
  await manager.query(
    `insert into audit_leaves (tree_id, index, position, event_id, occurred_at, leaf_hash, seal)
     select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::uuid[], $5::timestamptz[], $6::bytea[], $7::bytea[])`,
    columnsOf(leaves, ['treeId', 'index', 'position', 'eventId', 'occurredAt', 'hash', 'seal']),
  );
  if (nodes.length > 0) {
    await manager.query(
      `insert into audit_nodes (tree_id, level, index, hash)
       select * from unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::bytea[])`,
      columnsOf(nodes, ['treeId', 'level', 'index', 'hash']),
    );
  }
  const grown = Array.from(trees, ([id, { size, edge }]) => ({ id, size, edge }));
  await manager.query(
    `insert into audit_trees (id, size, edge) select * from unnest($1::uuid[], $2::bigint[], $3::bytea[])
     on conflict (id) do update set size = excluded.size, edge = excluded.edge`,
    columnsOf(grown, ['id', 'size', 'edge']),
  );
}

async function readTrees(manager: EntityManager, ids: string[]): Promise<Map<string, GrowingTree>> {
  const rows = await manager.query<{ id: string; size: number; edge: Buffer }[]>(
    'select id, size::float8 as size, edge from audit_trees where id = any ($1) order by id for update',
    [ids],
  );
  return new Map(rows.map(({ id, size, edge }) => [id, GrowingTree.restore(size, edge)]));
}

/** Remembers since when leaves are sealed, so that a seal can't be removed. */
export async function recordSeals(manager: EntityManager, key: AuditKey, position: number): Promise<void> {
  await manager.query(
    `insert into audit_state (sealed_from, sealed_from_seal) values ($1, $2)
     on conflict (id) do update set sealed_from = excluded.sealed_from, sealed_from_seal = excluded.sealed_from_seal
     where audit_state.sealed_from is null`,
    [position, sealStart(key, position)],
  );
}

/** Not before a sink's, which would miss the events otherwise. */
export async function lastPosition(manager: EntityManager): Promise<number> {
  const [row] = await manager.query<{ position: number }[]>(
    `select greatest(0, (select max(position) from audit_leaves), (select max(position) from audit_sinks))::float8 as position`,
  );
  return row?.position ?? 0;
}

/** Turns rows into an array for each column. */
function columnsOf<Row, Name extends keyof Row>(rows: readonly Row[], names: readonly Name[]): Row[Name][][] {
  return names.map((name) => rows.map((row) => row[name]));
}
