import type { TestApp } from './test-app.js';

/** Returns the number of connections to the app's database that wait for a lock. */
export async function countLockWaits({ query }: Pick<TestApp, 'query'>): Promise<number> {
  const waiting = await query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length;
}
