import { availableParallelism } from 'node:os';

/** Each thread holds a whole model, so more would need more memory than most machines can spare. */
export const maxDefaultThreads = 4;

/** The default number of threads or processes for an engine: one per processor, at most four. */
export function defaultThreads(): number {
  return Math.min(maxDefaultThreads, availableParallelism());
}
