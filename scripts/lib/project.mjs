import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** A step that cannot go on; its message is one sentence for the person at the terminal. */
export class StepError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs a step; its failure is told without a stack trace and ends the process. */
export async function step(action) {
  try {
    return await action();
  } catch (error) {
    console.error(error instanceof StepError || error.code ? `keycard: ${error.message}` : error);
    process.exit(error instanceof StepError ? error.exitCode : 1);
  }
}

/** Says what a slow action is, and how long it took. */
export async function announced(what, action) {
  const begun = performance.now();
  console.log(`keycard: ${what} …`);
  const result = await action();
  console.log(`keycard: ${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return result;
}
