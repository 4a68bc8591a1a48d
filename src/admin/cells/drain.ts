import { setTimeout as delay } from 'node:timers/promises';
import { accessTables } from '../../organizations/delete-organization.js';
import { type Cell, change, transact } from './cell.js';
import { drainCounters } from './counters.js';
import { HandOver } from './hand-over.js';
import type { KeyCopy } from './key-copy.js';
import type { Move } from './move-state.js';
import type { Step } from './step.js';

/** More often than holds expire, so that the target keeps counting requests that still run in the source. */
const intervalMilliseconds = 3000;

interface Drain {
  source: Cell;
  target: Cell;
  move: Move;
  keys: KeyCopy;
  /** How long nothing must have arrived. */
  quietSeconds: number;
  onProgress: (text: string) => void;
  atStep: Step;
}

/**
 * Hands over what requests use that still run in the source, until nothing is held there and nothing has arrived for a
 * while.
 *
 * @returns the number of rows
 */
export async function drain({ source, target, move, keys, quietSeconds, onProgress, atStep }: Drain): Promise<number> {
  const { organizationId } = move;
  await keys.addCreators();
  await deleteAccess(source, organizationId);
  const handOver = new HandOver(source, target, move);
  let total = 0;
  let quietSince = performance.now();
  for (;;) {
    const isHeld = await drainCounters(source, target, organizationId);
    await atStep('counters');
    const rows = await handOver.run((table, count) => onProgress(`${table}: ${count} rows`));
    await atStep('handed-over');
    total += rows;
    if (isHeld || rows > 0) quietSince = performance.now();
    const remaining = quietSince + quietSeconds * 1000 - performance.now();
    if (remaining <= 0) return total;
    onProgress(`Waiting for requests that still run in the source: ${Math.ceil(remaining / 1000)} s`);
    await delay(Math.min(intervalMilliseconds, remaining));
  }
}

/**
 * Members whose only access is there no longer see the organization, and can sign in to their others. Keys stay until the
 * end, because their limits are settled.
 */
async function deleteAccess(source: Cell, organizationId: string): Promise<void> {
  await transact(source, async () => {
    for (const table of accessTables) {
      await change(source, `delete from ${table} where organization_id = $1`, [organizationId]);
    }
  });
}

const keysPerStatement = 1000;

/**
 * Deletes the organization from the source, except for hashes of its keys, which say where it is. The retention task deletes
 * the rest. Audit events stay for as long as the source keeps any.
 */
export async function finish(source: Cell, target: Cell, move: Move): Promise<void> {
  const { organizationId } = move;
  await change(
    source,
    `insert into moved_api_keys (secret_hash, organization_id)
     select secret_hash, organization_id from api_keys where organization_id = $1
     union select previous_secret_hash, organization_id from api_keys
       where organization_id = $1 and previous_secret_expires_at > now()
     on conflict do nothing`,
    [organizationId],
  );
  const deleteKeys = `delete from api_keys where id = any (array(
    select id from api_keys where organization_id = $1 limit ${keysPerStatement}
  ))`;
  while ((await change(source, deleteKeys, [organizationId])) > 0);
  await change(
    target,
    `update organization_moves set state = 'moved', counters = null, changed_at = clock_timestamp()
     where organization_id = $1 and move_id = $2 and state = 'draining'`,
    [organizationId, move.moveId],
  );
  await change(source, 'update organizations set deleted_at = clock_timestamp() where id = $1 and deleted_at is null', [
    organizationId,
  ]);
}
