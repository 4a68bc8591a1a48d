import type { EntityManager } from 'typeorm';
import type { AuditKey } from '../audit-key.js';
import { type Checkpoint, formatCheckpoint, originOf, parseCheckpoint } from '../checkpoint.js';
import type { Finding } from './finding.js';

/** A row of `audit_trees`. */
export interface StoredTree {
  size: number;
  edge: Buffer;
  checkpoints: number;
  checkpointSize: number;
  checkpointedAt: Date | null;
}

interface StoredCheckpoint {
  number: number;
  size: number;
  note: string;
}

export interface CheckedCheckpoints {
  /** Those with a valid signature. */
  valid: Checkpoint[];
  findings: Finding[];
}

/** Checks the signatures of a tree's checkpoints, and that none is missing. */
export async function checkCheckpoints(
  manager: Pick<EntityManager, 'query'>,
  treeId: string,
  tree: StoredTree | undefined,
  keys: readonly AuditKey[],
): Promise<CheckedCheckpoints> {
  const rows = await manager.query<StoredCheckpoint[]>(
    'select number, size::float8 as size, note from audit_checkpoints where tree_id = $1 order by number',
    [treeId],
  );
  const valid: Checkpoint[] = [];
  const findings: Finding[] = [];
  const report = (manipulation: Finding['manipulation'], text: string) => findings.push({ treeId, manipulation, text });
  for (const [place, { number, size, note }] of rows.entries()) {
    if (number !== place + 1) {
      report('removed', `The checkpoint with number ${place + 1} was removed.`);
      break;
    }
    const checkpoint = parseCheckpoint(note);
    if (checkpoint?.treeId !== treeId || checkpoint.size !== size || !isSigned(note, checkpoint, keys)) {
      report('changed', `The checkpoint with number ${number} was changed, or signed with an unknown key.`);
      continue;
    }
    valid.push(checkpoint);
  }
  const last = valid.at(-1);
  if (findings.length === 0 && !fits(tree, last, rows.length)) {
    report('changed', `The record of ${rows.length} checkpoints was changed, or the newest ones were removed.`);
  }
  return { valid, findings };
}

/** Ed25519 signs the same text in the same way, so even spaces can't be added. */
function isSigned(note: string, checkpoint: Checkpoint, keys: readonly AuditKey[]): boolean {
  const text = formatCheckpoint(checkpoint);
  return keys.length === 0 || keys.some((key) => key.signNote(text, originOf(checkpoint.treeId)) === note);
}

function fits(tree: StoredTree | undefined, last: Checkpoint | undefined, count: number): boolean {
  const { checkpoints = 0, checkpointSize = 0, checkpointedAt = null } = tree ?? {};
  const hasSameTime = checkpointedAt?.getTime() === last?.time.getTime();
  return checkpoints === count && checkpointSize === (last?.size ?? 0) && hasSameTime;
}
