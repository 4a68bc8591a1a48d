import type { EntityManager } from 'typeorm';
import { type AuditKey, isSignedBy } from './audit-key.js';
import { publish } from '../../events/publish.js';
import { formatCheckpoint, installationTree, originOf } from './checkpoint.js';
import { GrowingTree } from './merkle-tree.js';

interface TreeRow {
  size: number;
  edge: Buffer;
  checkpoints: number;
  checkpointSize: number;
  time: Date;
}

const readTree = `
  select size::float8 as size, edge, checkpoints, checkpoint_size::float8 as "checkpointSize",
    date_trunc('milliseconds', clock_timestamp()) as time
  from audit_trees where id = $1 for update`;

/**
 * Signs the tree's size and root, unless its newest checkpoint has them, and publishes them as an event of the organization.
 *
 * @param manager of a transaction
 * @returns the newest checkpoint
 */
export async function createCheckpoint(manager: EntityManager, key: AuditKey, treeId: string): Promise<string> {
  // So that even an organization without events has a tree.
  await manager.query(`insert into audit_trees (id, size, edge) values ($1, 0, '') on conflict do nothing`, [treeId]);
  const [tree] = await manager.query<TreeRow[]>(readTree, [treeId]);
  if (tree === undefined) throw new Error(`The tree ${treeId} was removed.`);
  const newest = await readNewestCheckpoint(manager, treeId);
  const name = originOf(treeId);
  const { size, time } = tree;
  if (newest?.size === size && isSignedBy([key.verifierKey(name)], newest.note)) return newest.note;
  const { root } = GrowingTree.restore(size, tree.edge);
  const note = key.signNote(formatCheckpoint({ treeId, size, root, time }), name);
  await manager.query('insert into audit_checkpoints (tree_id, number, size, note) values ($1, $2, $3, $4)', [
    treeId,
    tree.checkpoints + 1,
    size,
    note,
  ]);
  await manager.query(
    `update audit_trees set checkpoints = checkpoints + 1, checkpoint_size = $2, checkpointed_at = $3 where id = $1`,
    [treeId, size, time],
  );
  if (await isOrganization(manager, treeId)) {
    await publish(manager, { organizationId: treeId, type: 'audit.checkpoint', data: { checkpoint: note } });
  }
  return note;
}

/** The installation has a tree, and so have deleted organizations. */
async function isOrganization(manager: EntityManager, treeId: string): Promise<boolean> {
  if (treeId === installationTree) return false;
  const found = await manager.query<object[]>('select from organizations where id = $1', [treeId]);
  return found.length > 0;
}

/** The newest checkpoint of a tree; undefined if it has none. */
export async function readNewestCheckpoint(
  manager: Pick<EntityManager, 'query'>,
  treeId: string,
): Promise<{ size: number; note: string } | undefined> {
  const [newest] = await manager.query<{ size: number; note: string }[]>(
    'select size::float8 as size, note from audit_checkpoints where tree_id = $1 order by number desc limit 1',
    [treeId],
  );
  return newest;
}

/**
 * Trees that have grown since their newest checkpoint.
 *
 * @param minAge of that checkpoint, as an interval of PostgreSQL
 */
export async function findUnsignedTrees(
  manager: Pick<EntityManager, 'query'>,
  minAge: string,
  limit: number,
): Promise<string[]> {
  const rows = await manager.query<{ id: string }[]>(
    `select id from audit_trees
     where size > checkpoint_size and (checkpointed_at is null or checkpointed_at <= clock_timestamp() - $1::interval)
       and not exists (select from audit_state where backfilled_to is not null)
       -- These are still being copied, and their checkpoints follow.
       and id not in (select organization_id from organization_moves where direction = 'in' and state = 'copying')
     order by id limit $2`,
    [minAge, limit],
  );
  return rows.map(({ id }) => id);
}
