import { announced, StepError } from './project.mjs';
import { runNode } from './run.mjs';

/** Runs a compiler, which says itself what is wrong with the sources; then nothing that needs them goes on. */
export async function compile(what, argv, options) {
  const exitCode = await announced(what, () => runNode(argv, options));
  if (exitCode !== 0) throw new StepError(`${what} has failed; what is above says where.`, exitCode);
}

/** Lets builds run side by side; a failure is told once all have ended, so that none goes on unseen. */
export async function together(builds) {
  const results = await Promise.allSettled(builds);
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
