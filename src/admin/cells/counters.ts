import { loadStatement } from '../../database/sql-file.js';
import { type Cell, change, select, transact } from './cell.js';

export const readStatement = loadStatement('admin/cells/read-counters.sql', { parameters: ['organizationId'] });

export const writeStatement = loadStatement('admin/cells/write-counters.sql', {
  parameters: ['organizationId', 'counters'],
});

export const addChangesStatement = loadStatement('admin/cells/add-counter-changes.sql', {
  parameters: ['organizationId', 'counters', 'before', 'generation'],
});

interface Counters {
  /** A JSON array. */
  counters: string;
  /** What running requests hold, of all kinds. */
  held: string;
}

async function readCounters(source: Cell, organizationId: string): Promise<Counters> {
  const [found] = await select<Counters>(source, readStatement.text, readStatement.bind({ organizationId }));
  return found ?? { counters: '[]', held: '0' };
}

/** What the target has counted of the source's counters. */
const noteCounters = `
  update organization_moves set counters = json_build_object('generation', $2::bigint, 'rows', $3::json)
  where organization_id = $1`;

/**
 * Gives the target the counters of the source. What requests hold that still run there counts as charged, so that both
 * together never exceed a limit.
 *
 * @param target in the transaction that activates the organization
 */
export async function moveCounters(source: Cell, target: Cell, organizationId: string): Promise<void> {
  const { counters } = await readCounters(source, organizationId);
  await change(target, writeStatement.text, writeStatement.bind({ organizationId, counters }));
  const [clock] = await select<{ generation: string }>(
    target,
    'select hold_generation(clock_timestamp())::text as generation',
  );
  await change(target, noteCounters, [organizationId, clock?.generation ?? '0', counters]);
}

/**
 * Adds to the target what the source's counters have changed since the last call.
 *
 * @returns whether requests that still run in the source hold something
 */
export async function drainCounters(source: Cell, target: Cell, organizationId: string): Promise<boolean> {
  const { counters, held } = await readCounters(source, organizationId);
  await transact(target, async () => {
    const [noted] = await select<{ before: string; generation: string }>(
      target,
      `select counters->>'rows' as before, counters->>'generation' as generation from organization_moves
       where organization_id = $1 and counters is not null for update`,
      [organizationId],
    );
    if (noted === undefined) return;
    const values = addChangesStatement.bind({ organizationId, counters, ...noted });
    const [added] = await select<{ generation: string }>(target, addChangesStatement.text, values);
    await change(target, noteCounters, [organizationId, added?.generation ?? noted.generation, counters]);
  });
  return Number(held) > 0;
}
