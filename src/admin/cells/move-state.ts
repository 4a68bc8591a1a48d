import { randomUUID } from 'node:crypto';
import { CommandError } from '../admin-command.js';
import { type Cell, change, select, transact } from './cell.js';

/** Of the move in its source; see the comment on `organization_moves.state`. */
export type MoveState = 'copying' | 'switching' | 'activating' | 'draining' | 'moved';

/** A move that this command works on. */
export interface Move {
  readonly organizationId: string;
  readonly moveId: string;
  /** This command. Another one that continues the move replaces it, and this one can't change the state any more. */
  readonly holder: string;
  state: MoveState;
}

interface MoveRow {
  moveId: string;
  direction: 'out' | 'in';
  state: MoveState;
}

/** Half of the key of the session lock that one command holds for each organization. */
const commandLock = 7_402_119;

const readRow = `select move_id as "moveId", direction, state from organization_moves where organization_id = $1`;

export async function findMove(cell: Cell, organizationId: string): Promise<MoveRow | undefined> {
  const [row] = await select<MoveRow>(cell, `${readRow} for update`, [organizationId]);
  return row;
}

/** @throws CommandError while another command moves the organization */
export async function lockMove(source: Cell, organizationId: string): Promise<void> {
  const [row] = await select<{ isMine: boolean }>(source, 'select pg_try_advisory_lock($1, hashtext($2)) as "isMine"', [
    commandLock,
    organizationId,
  ]);
  if (row?.isMine !== true) throw new CommandError('Another command is moving this organization. Wait until it ends.');
}

/**
 * Begins a move, or continues one that was interrupted. A source that no one serves is opened again.
 *
 * @param baseUrl of the target; undefined leaves that of an earlier command
 * @param onNew called in the transaction that begins a move
 * @throws CommandError if the organization has moved
 */
export async function beginMove(
  source: Cell,
  organizationId: string,
  baseUrl: string | undefined,
  onNew: () => Promise<void>,
): Promise<Move> {
  return transact(source, async () => {
    const row = await findMove(source, organizationId);
    if (row?.direction === 'out' && row.state === 'moved') throw new CommandError('This organization has moved.');
    if (row?.direction === 'in' && row.state !== 'moved') {
      throw new CommandError('This organization is still moving here. Complete that move first.');
    }
    const holder = randomUUID();
    const moveId = row?.direction === 'out' ? row.moveId : randomUUID();
    const found = row?.direction === 'out' ? row.state : 'copying';
    const state = found === 'switching' ? 'copying' : found;
    await change(
      source,
      `insert into organization_moves (organization_id, move_id, direction, state, is_closed, base_url, holder)
       values ($1, $2, 'out', $3, $4, $5, $6)
       on conflict (organization_id) do update set move_id = excluded.move_id, direction = 'out', state = excluded.state,
         is_closed = excluded.is_closed, holder = excluded.holder, changed_at = clock_timestamp(),
         base_url = coalesce(excluded.base_url, case when organization_moves.direction = 'out' then organization_moves.base_url end),
         batch = case when organization_moves.direction = 'out' then organization_moves.batch end,
         batch_number = case when organization_moves.direction = 'out' then organization_moves.batch_number else 0 end,
         counters = null`,
      [organizationId, moveId, state, state !== 'copying', baseUrl ?? null, holder],
    );
    if (row?.direction !== 'out') await onNew();
    return { organizationId, moveId, holder, state };
  });
}

const closedStates: MoveState[] = ['switching', 'activating', 'draining'];

/**
 * Changes the state of a move in its source.
 *
 * @throws CommandError if the state is another one: the source has been opened again because the switch took too long, or
 *   another command has continued or canceled the move
 */
export async function advance(source: Cell, move: Move, state: MoveState): Promise<void> {
  const changed = await change(
    source,
    `update organization_moves set state = $1, is_closed = $2, changed_at = clock_timestamp()
     where organization_id = $3 and move_id = $4 and holder = $5 and state = $6`,
    [state, closedStates.includes(state), move.organizationId, move.moveId, move.holder, move.state],
  );
  if (changed === 0)
    throw new CommandError(
      'The source serves the organization again, or another command has continued or canceled the move. Try again later.',
    );
  move.state = state;
}

/**
 * Removes a move that hasn't reached its target, so that the source serves the organization again.
 *
 * @throws CommandError if the organization isn't being moved, or the target may serve it already
 */
export async function removeMove(source: Cell, organizationId: string): Promise<void> {
  const removed = await change(
    source,
    `delete from organization_moves
     where organization_id = $1 and direction = 'out' and state in ('copying', 'switching')`,
    [organizationId],
  );
  if (removed > 0) return;
  const row = await transact(source, () => findMove(source, organizationId));
  throw new CommandError(
    row?.direction === 'out'
      ? 'The organization is served by the target already, so the move can only be completed. Run the command without --cancel.'
      : 'This organization is not being moved.',
  );
}
