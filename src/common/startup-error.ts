/**
 * A fatal startup error that the operator can fix. `main.ts` prints only `message`, without a stack trace, and exits with
 * code 1.
 */
export class StartupError extends Error {
  override name = 'StartupError';
}
