import { CommandError } from '../admin-command.js';
import { type Cell, change, readJson, transact } from './cell.js';
import { findMove, type Move } from './move-state.js';
import { upsert } from './upsert.js';

/** What a move adds to its target and a canceled one leaves there, children first. Audit events can't be deleted. */
const movedTables = [
  'webhook_deliveries',
  'events',
  'webhooks',
  'api_keys',
  'service_accounts',
  'invitations',
  'provisioned_memberships',
  'memberships',
  'former_members',
  'roles',
  'usage',
  'usage_series',
  'usage_cohorts',
  'usage_cohort_changes',
  'failure_counts',
  'failed_requests',
  'request_chunks',
  'deleted_api_keys',
  'limit_counters',
  'limit_notices',
  'limit_checks',
  'idempotency_keys',
  'leak_reports',
];

const rowsPerStatement = 10_000;

/**
 * Prepares a target for an organization, which stays closed there until it's activated.
 *
 * @throws CommandError if the target has the organization, or another move leads there
 */
export async function prepareTarget(source: Cell, target: Cell, move: Move): Promise<void> {
  const { organizationId, moveId } = move;
  const found = await transact(target, () => findMove(target, organizationId));
  if (found?.direction === 'in' && found.moveId === moveId) return;
  if (found !== undefined ? isPresent(found) : await isServed(target, organizationId)) {
    throw new CommandError('The target has an organization with this id.');
  }
  await clear(target, organizationId);
  const { rows } = await readJson(source, 'select * from organizations where id = $1', [organizationId]);
  await transact(target, async () => {
    await upsert(target, 'organizations', ['id'], rows);
    await change(
      target,
      `insert into organization_moves (organization_id, move_id, direction, state, is_closed) values ($1, $2, 'in', 'copying', true)
       on conflict (organization_id) do update set move_id = excluded.move_id, direction = 'in', state = 'copying',
         is_closed = true, base_url = null, batch = null, batch_number = 0, counters = null, changed_at = clock_timestamp()`,
      [organizationId, moveId],
    );
  });
}

const isPresent = ({ direction, state }: { direction: string; state: string }) =>
  direction === 'in' ? state !== 'copying' : state !== 'moved';

async function isServed(target: Cell, organizationId: string): Promise<boolean> {
  return (await change(target, 'select from organizations where id = $1 and deleted_at is null', [organizationId])) > 0;
}

/** Deletes what a canceled move has left in its target. The organization's row stays if it has audit events. */
export async function cancelInTarget(target: Cell, organizationId: string): Promise<void> {
  const found = await transact(target, () => findMove(target, organizationId));
  if (found?.direction !== 'in' || found.state !== 'copying') return;
  await clear(target, organizationId);
  await transact(target, async () => {
    await change(target, 'update organizations set deleted_at = clock_timestamp() where id = $1', [organizationId]);
    await change(
      target,
      'delete from organizations where id = $1 and not exists (select from audit_events where organization_id = $1)',
      [organizationId],
    );
    await change(target, `delete from organization_moves where organization_id = $1 and state = 'copying'`, [
      organizationId,
    ]);
  });
}

async function clear(target: Cell, organizationId: string): Promise<void> {
  for (const table of movedTables) {
    const statement = `delete from ${table} where ctid = any (array(
      select ctid from ${table} where organization_id = $1 limit ${rowsPerStatement}
    ))`;
    while ((await change(target, statement, [organizationId])) > 0);
  }
}
