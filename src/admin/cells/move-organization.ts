import { isUUID } from 'class-validator';
import { AuditService } from '../../audit/audit.service.js';
import { toAuditKeys } from '../../audit/proofs/audit-key.js';
import { errorMessage } from '../../common/errors/error-utils.js';
import { StartupError } from '../../common/startup-error.js';
import { findAuditSigningKeys } from '../../config/audit-signing-keys.js';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { checkDatabase } from '../../database/check-database.js';
import { type AdminCommand, type AdminContext, CommandError } from '../admin-command.js';
import { findServer } from '../find-server.js';
import { type Cell, openCell, transact } from './cell.js';
import { checkCells } from './check-cells.js';
import { copyAuditLog } from './copy-audit-log.js';
import { copyHistory, waitForPacking } from './copy-history.js';
import { drain, finish } from './drain.js';
import { KeyCopy } from './key-copy.js';
import { matchAccounts } from './match-accounts.js';
import { advance, beginMove, findMove, lockMove, removeMove } from './move-state.js';
import { type MoveOptions, readMoveOptions } from './read-move-options.js';
import type { Step } from './step.js';
import { switchOver } from './switch-over.js';
import { cancelInTarget, prepareTarget } from './target.js';

/*
 * A move has these phases. docs/cells.md describes them for operators.
 *
 * - copying: the source serves. Packed usage, the audit log and keys are copied to the target, where they're closed.
 * - switching: no one serves, for at most 5 seconds. What has changed is copied, see switch-over.ts.
 * - draining: the target serves. Usage that still arrives in the source is handed over, see hand-over.ts, and limits learn
 *   what requests have released there, see counters.ts.
 * - moved: the source has hashes of keys, the audit log, and the base URL of the target.
 *
 * The state of the source decides. It's changed before the target's when access is taken away, and the target's is changed
 * in the transaction that adds the last rows, so a command that is killed anywhere can be run again.
 */

export const moveOrganization: AdminCommand = {
  parameters: ['ORGANIZATION'],
  description:
    'Move an organization (id) to the database of another cell, while both serve. Run it again if it was ended.',
  flags: {
    cancel: 'Give up a move that the target does not serve yet.',
    'match-accounts': 'Use accounts of the target whose emails are not verified for members with the same emails.',
  },
  options: {
    to: { value: 'DATABASE_URL', description: 'The database of the target.' },
    'base-url': { value: 'URL', description: 'Where the target serves, for errors of the source.' },
    'drain-seconds': {
      value: 'SECONDS',
      description: 'How long nothing must arrive in the source before the move is complete: 900 by default.',
    },
  },
  audited: ['organization.move', 'organization.arrive'],
  run: (context, [organizationId = ''], flags, options) =>
    runMove(context, readMoveOptions(organizationId, flags, options)),
};

/** @param atStep called between steps */
export async function runMove(
  context: AdminContext,
  options: MoveOptions,
  atStep: Step = () => Promise.resolve(),
): Promise<string> {
  const { organizationId } = options;
  if (!isUUID(organizationId)) throw new CommandError('The organization must be an id, such as from list-accounts.');
  if (!options.cancels) await checkTarget(options.target);
  const server = await findServer(context.config);
  try {
    return await withCell(server.connection, 'source', async (source) => {
      await lockMove(source, organizationId);
      if (options.cancels) return cancel(source, options);
      return withCell(options.target, 'target', (target) => move(context, options, source, target, atStep));
    });
  } finally {
    await server.stop();
  }
}

/** @throws StartupError that explains what is wrong with `--to` */
async function checkTarget(target: DatabaseConnection): Promise<void> {
  try {
    await checkDatabase(target);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    throw new StartupError(error.message.replaceAll('DATABASE_URL', '--to'));
  }
}

async function withCell<Result>(
  connection: DatabaseConnection,
  side: 'source' | 'target',
  work: (cell: Cell) => Promise<Result>,
): Promise<Result> {
  const cell = await openCell(connection, side);
  return work(cell).finally(() => cell.close());
}

/** The source first: it must be able to serve again even if the target is lost. */
async function cancel(source: Cell, { organizationId, target: to }: MoveOptions): Promise<string> {
  await removeMove(source, organizationId);
  const canceled = 'Canceled the move. The source serves the organization as before.';
  try {
    await withCell(to, 'target', (target) => cancelInTarget(target, organizationId));
    return canceled;
  } catch (error) {
    return `${canceled}\nWhat was copied is still in the target, which does not serve it (${errorMessage(error)}).`;
  }
}

async function move(
  { config, operator, progress }: AdminContext,
  { organizationId, baseUrl, drainSeconds, trustsEmails }: MoveOptions,
  source: Cell,
  target: Cell,
  atStep: Step,
): Promise<string> {
  const [key] = toAuditKeys(findAuditSigningKeys(config));
  const name = await checkCells(source, target, organizationId, key);
  const isNew = (await transact(source, () => findMove(source, organizationId)))?.direction !== 'out';
  if (isNew) await matchAccounts(source, target, organizationId, trustsEmails);
  const current = await beginMove(source, organizationId, baseUrl, () =>
    recordStart(source, operator, organizationId, name),
  );
  const keys = new KeyCopy(source, target, organizationId);
  await atStep('begun');
  if (current.state === 'copying') {
    await prepareTarget(source, target, current);
    await atStep('prepared');
    await waitForPacking(source);
    await copyHistory(source, target, organizationId, (done, of) => progress.update(`Usage: ${done} of ${of} series`));
    await atStep('history');
    const events = await copyAuditLog(source, target, organizationId, key, (count) =>
      progress.update(`Audit log: ${count} events`),
    );
    progress.finish(`Audit log: ${events} events`);
    await atStep('audit-log');
    const count = await keys.copy((done, of) => progress.update(`API keys: ${done} of ${of}`));
    progress.finish(`API keys: ${count}`);
    await atStep('keys');
  }
  if (current.state !== 'draining') {
    const start = performance.now();
    await switchOver({ source, target, move: current, name, key, keys, trustsEmails, operator, atStep });
    progress.finish(`The target serves the organization, after ${((performance.now() - start) / 1000).toFixed(1)} s.`);
  }
  await atStep('draining');
  const rows = await drain({
    ...{ source, target, keys, atStep, quietSeconds: drainSeconds },
    move: current,
    onProgress: (text) => progress.update(text),
  });
  await finish(source, target, current);
  await atStep('finished');
  await advance(source, current, 'moved');
  return `Moved ${name}: the target has its keys, members, limits, usage and audit log. ${rows} rows of usage and history were handed over last.`;
}

async function recordStart(
  source: Cell,
  operator: AdminContext['operator'],
  organizationId: string,
  name: string,
): Promise<void> {
  const target = { kind: 'organization', id: organizationId, name } as const;
  const actor = { ...operator, organizationId };
  await new AuditService().record(source.manager, actor, { action: 'organization.move', target });
}
