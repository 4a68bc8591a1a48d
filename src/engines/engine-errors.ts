import { unavailable } from '../common/errors/app-error.js';

/** The client's share of the engine's queue is full. */
export class EngineBusyError extends Error {
  override name = 'EngineBusyError';
  constructor(readonly retryAfterSeconds: number) {
    super(`The engine's queue is full. Retry after ${retryAfterSeconds} s.`);
  }
}

/** The engine couldn't be loaded, its worker died, or it was closed. */
export class EngineFailedError extends Error {
  override name = 'EngineFailedError';
}

/** Messages for API clients. */
interface EngineErrorMessages {
  /** Used for {@link EngineBusyError}. */
  busy: string;
  /** Used for {@link EngineFailedError}. */
  failed: string;
}

/** Converts the errors above to API errors with status 503. Returns any other error unchanged. */
export function explainEngineError(error: unknown, { busy, failed }: EngineErrorMessages): unknown {
  if (error instanceof EngineBusyError) return unavailable('overloaded', busy, error.retryAfterSeconds, error);
  if (error instanceof EngineFailedError) return unavailable('engine-unavailable', failed, 5, error);
  return error;
}
