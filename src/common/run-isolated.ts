import { isCausedByValues } from './errors/error-utils.js';

/**
 * Runs items together. If values of some items make that fail, both halves run separately, and so on: an item fails only
 * if it fails alone, or for a reason that isn't in its values.
 *
 * @param run must have no effect if it throws, such as an SQL statement
 * @param fail called with the items that failed
 */
export async function runIsolated<Item>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<void>,
  fail: (items: readonly Item[], error: unknown) => void,
): Promise<void> {
  try {
    await run(items);
  } catch (error) {
    if (items.length === 1 || !isCausedByValues(error)) return fail(items, error);
    const middle = Math.ceil(items.length / 2);
    await runIsolated(items.slice(0, middle), run, fail);
    await runIsolated(items.slice(middle), run, fail);
  }
}
