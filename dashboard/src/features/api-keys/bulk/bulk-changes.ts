import { runConcurrently } from '../../../lib/run-concurrently.js';

/** Keeps a large selection from crowding out other requests. */
const concurrency = 4;
const maxReasons = 5;

interface NamedKey {
  id: string;
  name: string;
}

/** Says which keys of a selection couldn't be changed. */
export class BulkError extends Error {
  constructor(
    message: string,
    readonly failedIds: string[],
  ) {
    super(message);
    this.name = 'BulkError';
  }
}

/**
 * Changes each key, a few at a time, and continues after failures.
 * @param done what happened to the others, such as "deleted"
 * @throws BulkError that names the keys that failed, with reasons
 */
export async function changeEach(
  keys: readonly NamedKey[],
  done: string,
  change: (key: NamedKey) => Promise<void>,
): Promise<void> {
  const failures = new Map<NamedKey, string>();
  await runConcurrently(keys, concurrency, async (key) => {
    try {
      await change(key);
    } catch (error) {
      failures.set(key, error instanceof Error ? error.message : String(error));
    }
  });
  if (failures.size === 0) return;
  const reasons = [...failures].slice(0, maxReasons).map(([{ name }, reason]) => `${name}: ${reason}`);
  const others = failures.size - reasons.length;
  const summary = `${keys.length - failures.size} of ${keys.length} keys ${done}.`;
  const more = others === 0 ? [] : [`${others} more failed.`];
  throw new BulkError(
    [summary, ...reasons, ...more].join(' '),
    Array.from(failures.keys(), ({ id }) => id),
  );
}
