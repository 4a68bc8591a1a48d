/**
 * A start that cannot go on for a reason the operator can mend. `message` is one sentence for that person;
 * `main.ts` prints it alone, without a stack trace, and exits with code 1.
 */
export class StartupError extends Error {
  override name = 'StartupError';
}
