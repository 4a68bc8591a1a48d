import type { EntityManager } from 'typeorm';
import type { AuditKey } from '../audit-key.js';
import type { Subtree } from '../merkle-tree.js';
import { sealLeaf } from '../seals.js';
import { checkCheckpoints, type StoredTree } from './check-checkpoints.js';
import type { Finding } from './finding.js';
import { readLeaves, type StoredLeaf } from './read-leaves.js';
import { keyOf, TreeCheck, type TreeContext } from './tree-check.js';

export interface TreeReport {
  leaves: number;
  /** Leaves whose event was deleted because of its age. */
  deleted: number;
  checkpoints: number;
  findings: Finding[];
}

/** Recomputes a tree from its events, and compares it with everything that is stored and was kept elsewhere. */
export async function verifyTree(
  manager: Pick<EntityManager, 'query'>,
  treeId: string,
  context: TreeContext,
): Promise<TreeReport> {
  const stored = await readTree(manager, treeId);
  const { valid, findings } = await checkCheckpoints(manager, treeId, stored, context.keys);
  const checkpoints = [...valid, ...context.kept].sort((one, other) => one.size - other.size);
  const check = new TreeCheck(treeId, context, checkpoints, await readNodes(manager, treeId));
  let finding: Finding | undefined;
  for await (const leaf of readLeaves(manager, treeId)) {
    finding = check.add(leaf);
    if (finding?.manipulation === 'reordered' || finding?.manipulation === 'changed') {
      finding = (await findOriginalPlace(manager, leaf, context.keys)) ?? finding;
    }
    if (finding !== undefined) break;
  }
  finding ??= check.finish(stored);
  const { leaves, deleted } = check;
  return {
    leaves,
    deleted,
    checkpoints: checkpoints.length,
    findings: finding === undefined ? findings : [finding, ...findings],
  };
}

async function readTree(manager: Pick<EntityManager, 'query'>, treeId: string): Promise<StoredTree | undefined> {
  const [tree] = await manager.query<StoredTree[]>(
    `select size::float8 as size, edge, checkpoints, checkpoint_size::float8 as "checkpointSize",
       checkpointed_at as "checkpointedAt"
     from audit_trees where id = $1`,
    [treeId],
  );
  return tree;
}

async function readNodes(manager: Pick<EntityManager, 'query'>, treeId: string): Promise<Map<string, Buffer>> {
  const rows = await manager.query<(Subtree & { hash: Buffer })[]>(
    'select level, index::float8 as index, hash from audit_nodes where tree_id = $1',
    [treeId],
  );
  return new Map(rows.map(({ hash, ...subtree }) => [keyOf(subtree), hash]));
}

/** Looks for the place at which the seal of a leaf was valid: then it wasn't changed, but moved. */
async function findOriginalPlace(
  manager: Pick<EntityManager, 'query'>,
  leaf: StoredLeaf,
  keys: readonly AuditKey[],
): Promise<Finding | undefined> {
  const { treeId, index, position, eventId, seal } = leaf;
  if (seal === null) return undefined;
  const places = await manager.query<{ index: number; position: number }[]>(
    'select index::float8 as index, position::float8 as position from audit_leaves where tree_id = $1 order by index',
    [treeId],
  );
  const fits = (place: { index: number; position: number }) =>
    keys.some((key) => sealLeaf(key, { ...leaf, ...place }).equals(seal));
  if (fits(leaf)) return undefined;
  const original = places
    .flatMap((place) => [place, { index: place.index, position }, { index, position: place.position }])
    .find(fits);
  if (original === undefined) return undefined;
  const from = original.index === index ? '' : ` from index ${original.index}`;
  const text = `Event ${eventId} was moved${from} to index ${index}.`;
  return { treeId, manipulation: 'reordered', index, eventId, text };
}
