import { availableParallelism } from 'node:os';

/** More would take more memory than most machines can spare: each thread holds a whole model. */
const most = 4;

/** How many threads run a model unless the operator says otherwise: one for each processor, at most four. */
export function defaultThreads(): number {
  return Math.min(most, availableParallelism());
}
