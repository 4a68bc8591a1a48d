import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** Root of the checkout. */
export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** An expected failure of a step; the message is printed without a stack trace. */
export class StepError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs a step; exits with a message if it fails. */
export async function step(action) {
  try {
    return await action();
  } catch (error) {
    console.error(error instanceof StepError || error.code ? `keycard: ${error.message}` : error);
    process.exit(error instanceof StepError ? error.exitCode : 1);
  }
}

/** Prints the name of a slow action, and how long it took. */
export async function withProgress(what, action) {
  const startedAt = performance.now();
  console.log(`keycard: ${what} …`);
  const result = await action();
  console.log(`keycard: ${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return result;
}
