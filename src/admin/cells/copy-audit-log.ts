import {
  appendEvents,
  appendLock,
  batchSize,
  insertLeaves,
  lastPosition,
  recordSeals,
} from '../../audit/proofs/append-events.js';
import type { AuditKey } from '../../audit/proofs/audit-key.js';
import { GrowingTree } from '../../audit/proofs/merkle-tree.js';
import { sealDeletion } from '../../audit/proofs/seals.js';
import { CommandError } from '../admin-command.js';
import { type Cell, change, readJson, select, transact } from './cell.js';
import { upsert } from './upsert.js';

/** Appends the organization's events to its tree in the source, so that they can be copied. */
export async function hashPendingEvents(
  source: Cell,
  key: AuditKey | undefined,
  organizationId: string,
): Promise<void> {
  for (;;) {
    const pending = await select(
      source,
      `select from audit_pending where (select organization_id = $1 from audit_events where id = event_id)
         and not exists (select from audit_leaves where audit_leaves.event_id = audit_pending.event_id) limit 1`,
      [organizationId],
    );
    if (pending.length === 0) return;
    await transact(source, () => appendEvents(source.manager, key));
  }
}

interface LeafRow {
  index: number;
  eventId: string;
  occurredAt: Date;
  hash: Buffer;
}

interface TreeRow {
  size: number;
  edge: Buffer;
}

/** A position of its own, so that it's a leaf of the target's log. */
const readLeaves = `
  select index::float8 as index, event_id as "eventId", occurred_at as "occurredAt", leaf_hash as hash from audit_leaves
  where tree_id = $1 and index >= $2 order by index limit ${batchSize}`;

/**
 * Copies the audit events that are leaves of the organization's tree, and grows the same tree in the target. Continues where
 * an earlier call ended.
 *
 * @param key seals the leaves, whose positions in the target differ
 * @returns the number of events in the target
 * @throws CommandError if the target's log isn't an earlier state of the source's
 */
export async function copyAuditLog(
  source: Cell,
  target: Cell,
  organizationId: string,
  key: AuditKey | undefined,
  onCopied: (events: number) => void,
): Promise<number> {
  await copyDeletionTime(source, target, key);
  for (;;) {
    const size = (await readTree(target, organizationId)).size;
    const leaves = await select<LeafRow>(source, readLeaves, [organizationId, size]);
    if (leaves.length === 0) break;
    const { rows } = await readJson(source, 'select * from audit_events where id = any ($1::uuid[])', [
      leaves.map(({ eventId }) => eventId),
    ]);
    await transact(target, () => appendCopied(target, organizationId, key, leaves, rows));
    onCopied(size + leaves.length);
  }
  return assertSameTree(source, target, organizationId);
}

/** Leaves come with their events, so that the target's own task doesn't append these a second time. */
async function appendCopied(
  target: Cell,
  organizationId: string,
  key: AuditKey | undefined,
  leaves: readonly LeafRow[],
  events: string,
): Promise<void> {
  await change(target, 'select pg_advisory_xact_lock($1)', [appendLock]);
  const { size, edge } = await readTree(target, organizationId);
  if (leaves[0]?.index !== size) throw new CommandError('Another command is copying the audit log.');
  // The organization may have been here before.
  await change(
    target,
    `insert into audit_events select * from json_populate_recordset(null::audit_events, $1::json) on conflict do nothing`,
    [events],
  );
  const tree = GrowingTree.restore(size, edge);
  let position = await lastPosition(target.manager);
  if (key !== undefined) await recordSeals(target.manager, key, position + 1);
  const placed = leaves.map((leaf) => ({ ...leaf, treeId: organizationId, position: ++position }));
  await insertLeaves(target.manager, key, placed, new Map([[organizationId, tree]]));
  await change(target, 'delete from audit_pending where event_id = any ($1::uuid[])', [
    leaves.map(({ eventId }) => eventId),
  ]);
}

async function readTree(cell: Cell, organizationId: string): Promise<TreeRow> {
  const [tree] = await select<TreeRow>(cell, 'select size::float8 as size, edge from audit_trees where id = $1', [
    organizationId,
  ]);
  return tree ?? { size: 0, edge: Buffer.alloc(0) };
}

async function assertSameTree(source: Cell, target: Cell, organizationId: string): Promise<number> {
  const own = await readTree(target, organizationId);
  const tree = await readTree(source, organizationId);
  // The source may have grown since the last batch.
  if (tree.size > own.size || (tree.size === own.size && tree.edge.equals(own.edge))) return own.size;
  throw new CommandError(
    'The target has another audit log of this organization. Run audit verify in both cells to find out what was changed.',
  );
}

/** Copies the signed checkpoints, once the whole log was copied. */
export async function copyCheckpoints(source: Cell, target: Cell, organizationId: string): Promise<void> {
  const { rows } = await readJson(source, 'select * from audit_checkpoints where tree_id = $1 order by number', [
    organizationId,
  ]);
  await change(
    target,
    `insert into audit_checkpoints select * from json_populate_recordset(null::audit_checkpoints, $1::json)
     on conflict do nothing`,
    [rows],
  );
  const tree = await readJson(source, 'select * from audit_trees where id = $1', [organizationId]);
  await upsert(target, 'audit_trees', ['id'], tree.rows);
}

interface DeletionRow {
  deletedBefore: Date | null;
}

/** Old events may have been deleted from the source, so their leaves have no events in the target either. */
async function copyDeletionTime(source: Cell, target: Cell, key: AuditKey | undefined): Promise<void> {
  const [row] = await select<DeletionRow>(source, 'select deleted_before as "deletedBefore" from audit_state');
  if (row?.deletedBefore == null) return;
  await change(
    target,
    `insert into audit_state (deleted_before, deleted_before_seal) values ($1, $2)
     on conflict (id) do update set deleted_before = excluded.deleted_before, deleted_before_seal = excluded.deleted_before_seal
     where audit_state.deleted_before is null or audit_state.deleted_before < excluded.deleted_before`,
    [row.deletedBefore, key === undefined ? null : sealDeletion(key, row.deletedBefore)],
  );
}
