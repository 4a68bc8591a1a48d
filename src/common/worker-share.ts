/** Which of several workers a process is, for dividing limits of the whole service. */
export interface WorkerShare {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/**
 * This worker's part of a limit of the whole service. The parts of all workers add up to it, unless it's too small to give
 * each of them `min`.
 *
 * @param share undefined if one process is the whole service
 */
export function partOf(total: number, share: WorkerShare | undefined, min = 1): number {
  if (share === undefined) return total;
  const part = Math.floor(total / share.count) + (share.index < total % share.count ? 1 : 0);
  return Math.max(min, part);
}
