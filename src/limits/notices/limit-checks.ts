import type { DataSource, EntityManager } from 'typeorm';
import { loadStatement } from '../../database/sql-file.js';
import type { Limit } from '../limit.js';

/** Keys and organizations per transaction. Requests under their budgets wait for its commit. */
const batchSize = 10;

/** Between two checks of the same change. */
const pauseSeconds = 15;

/** Requests take at most ten minutes, and then a moment to be settled. */
const longestRequestSeconds = 660;

export const checkStatement = loadStatement('limits/notices/check-limits.sql', {
  parameters: [],
  fragments: {
    batch_size: String(batchSize),
    pause_seconds: String(pauseSeconds),
    longest_request_seconds: String(longestRequestSeconds),
  },
});

/**
 * Has changed limits checked for percentages of `notifyAt` that they've reached: after the commit, and when an increase
 * ends. This transaction must not do it, because it would lock counters that requests need.
 *
 * @param manager of the transaction that sets the limits
 * @param limits as stored
 */
export async function scheduleLimitChecks(
  manager: EntityManager,
  { id, organizationId }: { id: string; organizationId: string },
  limits: readonly Limit[] | null,
): Promise<void> {
  const notifying = (limits ?? []).filter(({ notifyAt }) => notifyAt !== undefined);
  if (notifying.length === 0) return;
  const ends = notifying.flatMap(({ increase }) => (increase === undefined ? [] : [increase.until]));
  await manager.query(
    `insert into limit_checks (due_at, owner_id, organization_id)
     select due_at, $1, $2 from (select now() as due_at union select unnest($3::timestamptz[])) as time
     where due_at >= now()
     on conflict do nothing`,
    [id, organizationId, ends],
  );
}

/**
 * Leaves a notice for each percentage that a changed limit has reached, in a batch of checks that are due.
 *
 * @returns the number of checked keys and organizations
 */
export function checkLimits(dataSource: DataSource): Promise<number> {
  return dataSource.transaction(async (manager) => {
    // Requests needn't wait for the disk: a lost check is due again.
    await manager.query('set local synchronous_commit = off');
    const [checked] = await manager.query<{ count: number }[]>(checkStatement.text);
    return checked?.count ?? 0;
  });
}
