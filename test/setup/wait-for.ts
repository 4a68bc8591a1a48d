import { setTimeout as delay } from 'node:timers/promises';

const limitMilliseconds = 60_000;
const maxPollMilliseconds = 20;

/**
 * Polls until the condition holds, less often the longer it takes: checks may be requests.
 *
 * @throws Error if it doesn't hold within a minute
 */
export async function waitFor(holds: () => boolean | Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    const waited = performance.now() - start;
    if (waited > limitMilliseconds) throw new Error(`Still not true after a minute: ${holds.toString()}`);
    await delay(Math.min(waited / 50, maxPollMilliseconds));
  }
}
