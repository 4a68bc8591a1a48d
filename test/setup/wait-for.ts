import { setTimeout as delay } from 'node:timers/promises';

const limitMilliseconds = 60_000;
const pollMilliseconds = 1;

/**
 * Polls until the condition holds.
 *
 * @throws Error if it doesn't hold within a minute
 */
export async function waitFor(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limitMilliseconds;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Still not true after a minute: ${holds.toString()}`);
    await delay(pollMilliseconds);
  }
}
