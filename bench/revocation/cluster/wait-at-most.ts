import { setTimeout as delay } from 'node:timers/promises';

const pollMilliseconds = 100;

/** Polls until the condition holds, and returns whether it did in time. */
export async function waitAtMost(seconds: number, holds: () => Promise<boolean> | boolean): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > end) return false;
    await delay(pollMilliseconds);
  }
  return true;
}
