import type { LimitState } from './schema.js';

/** How often lists, limits and times of last use are refetched while they're visible: requests and other people change them. */
export const refetchMilliseconds = 10_000;

/** The interval in which limits are refetched. Without limits, they aren't. */
export function limitsInterval(owner: { limits: LimitState[] } | undefined): number | false {
  return owner !== undefined && owner.limits.length > 0 && refetchMilliseconds;
}
