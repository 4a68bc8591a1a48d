import type { EntityManager } from 'typeorm';
import type { AuditKey } from '../audit-key.js';
import { type Checkpoint, installationTree } from '../checkpoint.js';
import { sealDeletion, sealStart } from '../seals.js';
import type { Finding } from './finding.js';
import { verifyTree } from './verify-tree.js';

export interface LogReport {
  trees: number;
  leaves: number;
  deleted: number;
  checkpoints: number;
  /** Events that aren't in a tree yet. */
  pending: number;
  findings: Finding[];
}

/**
 * Verifies all trees and that every event is in one.
 *
 * @param manager of a transaction that reads one snapshot
 * @param keys empty: neither signatures nor seals are checked
 * @param kept checkpoints that were kept elsewhere, whose signatures are valid
 */
export async function verifyLog(
  manager: Pick<EntityManager, 'query'>,
  keys: readonly AuditKey[],
  kept: readonly Checkpoint[],
  onTree: (done: number, of: number) => void = () => undefined,
): Promise<LogReport> {
  const { findings: stateFindings, ...state } = await readState(manager, keys);
  const report: LogReport = { trees: 0, leaves: 0, deleted: 0, checkpoints: 0, pending: 0, findings: [] };
  const ids = await findTrees(manager, kept);
  for (const treeId of ids) {
    const own = kept.filter((checkpoint) => checkpoint.treeId === treeId);
    const tree = await verifyTree(manager, treeId, { keys, kept: own, ...state });
    report.leaves += tree.leaves;
    report.deleted += tree.deleted;
    report.checkpoints += tree.checkpoints;
    report.findings.push(...tree.findings);
    onTree(++report.trees, ids.length);
  }
  report.findings.push(...stateFindings, ...(await findOutsideTrees(manager)));
  report.pending = await countPending(manager);
  return report;
}

async function findTrees(manager: Pick<EntityManager, 'query'>, kept: readonly Checkpoint[]): Promise<string[]> {
  const rows = await manager.query<{ id: string }[]>(
    `select id from audit_trees union select tree_id from audit_leaves union select tree_id from audit_checkpoints
     union select tree_id from audit_nodes order by 1`,
  );
  return [...new Set([...rows.map(({ id }) => id), ...kept.map(({ treeId }) => treeId)])];
}

interface State {
  deletedBefore: Date | undefined;
  sealedFrom: number;
  findings: Finding[];
}

interface StateRow {
  deletedBefore: Date | null;
  deletedBeforeSeal: Buffer | null;
  sealedFrom: number | null;
  sealedFromSeal: Buffer | null;
}

/** A record that isn't sealed could excuse any removal. */
async function readState(manager: Pick<EntityManager, 'query'>, keys: readonly AuditKey[]): Promise<State> {
  const [row] = await manager.query<StateRow[]>(
    `select deleted_before as "deletedBefore", deleted_before_seal as "deletedBeforeSeal",
       sealed_from::float8 as "sealedFrom", sealed_from_seal as "sealedFromSeal"
     from audit_state`,
  );
  const deletedBefore = row?.deletedBefore ?? undefined;
  const sealedFrom = row?.sealedFrom ?? 0;
  if (keys.length === 0) return { deletedBefore, sealedFrom, findings: [] };
  const isDeletionSealed = keys.some(
    (key) => deletedBefore && row?.deletedBeforeSeal?.equals(sealDeletion(key, deletedBefore)),
  );
  const isStartSealed = keys.some((key) => row?.sealedFromSeal?.equals(sealStart(key, sealedFrom)));
  const changed = (what: string): Finding => ({
    treeId: installationTree,
    manipulation: 'changed',
    text: `The record of ${what} was changed, or is not sealed.`,
  });
  return {
    deletedBefore: isDeletionSealed ? deletedBefore : undefined,
    sealedFrom: isStartSealed ? sealedFrom : 0,
    findings: [
      ...(deletedBefore === undefined || isDeletionSealed
        ? []
        : [changed('events that were deleted because of their age')]),
      ...(row?.sealedFrom == null || isStartSealed ? [] : [changed('the first sealed event')]),
    ],
  };
}

const findUnhashed = `
  select distinct on (organization_id) id, organization_id as "organizationId"
  from audit_events
  where not exists (select from audit_leaves where event_id = id) and not exists (select from audit_pending where event_id = id)
    and not exists (select from audit_state where backfilled_to < audit_events.id)
  order by organization_id, occurred_at, id`;

const findRemoved = `
  select event_id as id from audit_pending where not exists (select from audit_events where id = event_id)
  order by 1 limit 1`;

/** Events that no tree has, and events that were removed before one had them. */
async function findOutsideTrees(manager: Pick<EntityManager, 'query'>): Promise<Finding[]> {
  const unhashed = await manager.query<{ id: string; organizationId: string | null }[]>(findUnhashed);
  const removed = await manager.query<{ id: string }[]>(findRemoved);
  return [
    ...unhashed.map(({ id, organizationId }): Finding => {
      const text = `Event ${id} was inserted past the log, or its leaf was removed.`;
      return { treeId: organizationId ?? installationTree, manipulation: 'inserted', eventId: id, text };
    }),
    ...removed.map(({ id }): Finding => {
      const text = `Event ${id} was removed before it was hashed.`;
      return { treeId: installationTree, manipulation: 'removed', eventId: id, text };
    }),
  ];
}

async function countPending(manager: Pick<EntityManager, 'query'>): Promise<number> {
  const [row] = await manager.query<{ count: number }[]>('select count(*)::integer as count from audit_pending');
  return row?.count ?? 0;
}
