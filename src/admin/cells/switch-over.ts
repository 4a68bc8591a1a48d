import { setTimeout as delay } from 'node:timers/promises';
import { AuditService } from '../../audit/audit.service.js';
import type { AuditKey } from '../../audit/proofs/audit-key.js';
import { errorCode } from '../../common/errors/error-utils.js';
import { type AdminContext, CommandError } from '../admin-command.js';
import { type Cell, change, select, transact } from './cell.js';
import { assertKnownToReplicas } from './check-cells.js';
import { copyAccess } from './copy-access.js';
import { copyAuditLog, copyCheckpoints, hashPendingEvents } from './copy-audit-log.js';
import { moveCounters } from './counters.js';
import type { KeyCopy } from './key-copy.js';
import { matchAccounts } from './match-accounts.js';
import { advance, findMove, type Move } from './move-state.js';
import type { Step } from './step.js';

export interface SwitchOver {
  source: Cell;
  target: Cell;
  move: Move;
  name: string;
  key: AuditKey | undefined;
  keys: KeyCopy;
  trustsEmails: boolean;
  operator: AdminContext['operator'];
  atStep: Step;
}

/** After this, the source serves the organization again, so that clients see at most 5 seconds of 503. */
const maxPauseMilliseconds = 4000;
const lockTimeoutMilliseconds = 1000;
const closingAttempts = 5;

/** Half of the key of the lock of the function refuse_changes_of_closed_organizations. */
const changeLock = 7_402_118;

/**
 * Makes the target serve the organization instead of the source.
 *
 * 1. The source is closed: it rejects keys and refuses changes. Changes that have recorded their audit event hold a lock,
 *    so closing waits for them. Statements that may not know of it yet have ended after a moment.
 * 2. What has changed since the first copy is written to the target, in a transaction that also opens it.
 * 3. The source notes that the target may be open now, so that it can't be opened again itself.
 * 4. The transaction is committed.
 *
 * At no time, both serve. A command that is killed after 3 is repeated from 2. Until then, the source can be opened again.
 *
 * @throws CommandError if the source was opened again
 */
export async function switchOver(options: SwitchOver): Promise<void> {
  if (options.move.state === 'activating') return repeatActivation(options);
  const release = holdSignals();
  try {
    await closeAndActivate(options);
  } finally {
    release();
  }
}

/** A command that is asked to end would leave the organization without a cell that serves it. */
function holdSignals(): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const ignore = () => undefined;
  for (const signal of signals) process.on(signal, ignore);
  return () => {
    for (const signal of signals) process.removeListener(signal, ignore);
  };
}

async function closeAndActivate(options: SwitchOver): Promise<void> {
  const { source, target, move, atStep } = options;
  await close(source, move);
  const deadline = performance.now() + maxPauseMilliseconds;
  try {
    await atStep('closed');
    await assertKnownToReplicas(source, 'source');
    await assertKnownToReplicas(target, 'target');
    await waitForStatements(source, deadline);
    await activate(options, deadline);
  } catch (error) {
    // Widened, because `activate` changes it.
    const { state } = move as { state: string };
    if (state === 'switching') await advance(source, move, 'copying');
    throw error;
  }
}

/** @throws CommandError if changes of the organization don't end */
async function close(source: Cell, move: Move): Promise<void> {
  const { organizationId } = move;
  for (let attempt = 1; ; attempt++) {
    try {
      await transact(source, async () => {
        await change(source, `set local lock_timeout = ${lockTimeoutMilliseconds}`);
        await change(source, 'select pg_advisory_xact_lock($1, hashtext($2))', [changeLock, organizationId]);
        await advance(source, move, 'switching');
      });
      return;
    } catch (error) {
      // What was rolled back.
      move.state = 'copying';
      if (errorCode(error) !== '55P03') throw error;
      if (attempt < closingAttempts) continue;
      throw new CommandError('The organization is being changed all the time. Nothing was moved yet; try again later.');
    }
  }
}

/** Connections that admit requests. Their statements end within 2 seconds. */
const applications = ['keycard api-key verifier', 'keycard reservations'];

const findRunning = `
  select pid || ' ' || query_start as name from pg_stat_activity
  where datname = current_database() and application_name = any ($1) and state <> 'idle'`;

/** Waits until all statements have ended that may not see that the organization is closed. */
async function waitForStatements(source: Cell, deadline: number): Promise<void> {
  const first = await select<{ name: string }>(source, findRunning, [applications]);
  const remaining = new Set(first.map(({ name }) => name));
  while (remaining.size > 0) {
    assertInTime(deadline);
    await delay(10);
    const now = await select<{ name: string }>(source, findRunning, [applications]);
    const running = new Set(now.map(({ name }) => name));
    for (const name of remaining) if (!running.has(name)) remaining.delete(name);
  }
}

function assertInTime(deadline: number): void {
  if (performance.now() < deadline) return;
  throw new CommandError(
    'The last changes could not be copied within 4 seconds, so the source serves the organization again. Try again when less happens there.',
  );
}

/** Continues a move that ended between telling the source and committing in the target. */
async function repeatActivation(options: SwitchOver): Promise<void> {
  const { source, target, move } = options;
  const found = await transact(target, () => findMove(target, move.organizationId));
  if (found?.moveId === move.moveId && found.state !== 'copying') await advance(source, move, 'draining');
  else await activate(options, Infinity);
}

async function activate(options: SwitchOver, deadline: number): Promise<void> {
  const { source, target, move, name, key, keys, operator, atStep } = options;
  const { organizationId } = move;
  await hashPendingEvents(source, key, organizationId);
  await copyAuditLog(source, target, organizationId, key, () => undefined);
  assertInTime(deadline);
  const accounts = await matchAccounts(source, target, organizationId, options.trustsEmails);
  await transact(target, async () => {
    const isClosed = await change(
      target,
      `select from organization_moves where organization_id = $1 and move_id = $2 and state = 'copying' for update`,
      [organizationId, move.moveId],
    );
    if (isClosed === 0) throw new CommandError('The target has lost this move. Cancel it with --cancel.');
    await transact(
      source,
      async () => {
        await copyAccess(source, target, organizationId, accounts);
        await keys.copy();
        await moveCounters(source, target, organizationId);
        await copyCheckpoints(source, target, organizationId);
      },
      'begin isolation level repeatable read',
    );
    await change(target, 'delete from moved_api_keys where organization_id = $1', [organizationId]);
    await new AuditService().record(
      target.manager,
      { ...operator, organizationId },
      { action: 'organization.arrive', target: { kind: 'organization', id: organizationId, name } },
    );
    await change(
      target,
      `update organization_moves set state = 'draining', is_closed = false, changed_at = clock_timestamp()
       where organization_id = $1`,
      [organizationId],
    );
    await atStep('copied');
    assertInTime(deadline);
    if (move.state === 'switching') await advance(source, move, 'activating');
    await atStep('activating');
  });
  await atStep('activated');
  await advance(source, move, 'draining');
}
