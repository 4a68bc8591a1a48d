import { type AppError, unavailable } from '../../common/errors/app-error.js';

const retryAfterSeconds = 5;

/** Runs what needs the provider; a failure becomes a 503 and its cause is logged. */
export async function reach<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw providerUnavailable(error);
  }
}

export function providerUnavailable(cause: unknown): AppError {
  const detail = 'The identity provider cannot be reached; try again shortly.';
  return unavailable('identity-provider-unavailable', detail, retryAfterSeconds, cause);
}
