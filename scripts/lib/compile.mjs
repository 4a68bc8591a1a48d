import { withProgress, StepError } from './project.mjs';
import { runNode } from './run.mjs';

/** Runs a compiler, which prints its own errors; throws if it fails. */
export async function compile(what, argv, options) {
  const exitCode = await withProgress(what, () => runNode(argv, options));
  if (exitCode !== 0) throw new StepError(`${what} failed; see the errors above.`, exitCode);
}

/** Runs builds in parallel; throws a failure only after all have ended, so that none is left running. */
export async function inParallel(builds) {
  const results = await Promise.allSettled(builds);
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
