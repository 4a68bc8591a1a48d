/** Which of several instances a process is, for dividing limits of the whole service. */
export interface InstanceShare {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/**
 * This instance's part of a limit of the whole service. The parts of all instances add up to it, unless it's too small to give
 * each of them `min`.
 *
 * @param share undefined if one process is the whole service
 */
export function partOf(total: number, share: InstanceShare | undefined, min = 1): number {
  if (share === undefined) return total;
  const part = Math.floor(total / share.count) + (share.index < total % share.count ? 1 : 0);
  return Math.max(min, part);
}
