import { unavailable } from '../common/errors/app-error.js';

/** The engine's queue is full: try again after `retryAfterSeconds`. */
export class EngineBusyError extends Error {
  override name = 'EngineBusyError';
  constructor(readonly retryAfterSeconds: number) {
    super(`The engine's queue is full; try again in ${retryAfterSeconds} s.`);
  }
}

/** The engine could not be loaded or its worker died. */
export class EngineFailedError extends Error {
  override name = 'EngineFailedError';
}

interface Explanation {
  /** What to tell the caller when the queue is full. */
  busy: string;
  /** What to tell the caller when the engine cannot run. */
  failed: string;
}

/** What an engine threw, as an error for the caller where it is one of the engine's own. */
export function explainEngineError(error: unknown, { busy, failed }: Explanation): unknown {
  if (error instanceof EngineBusyError) return unavailable('overloaded', busy, error.retryAfterSeconds, error);
  if (error instanceof EngineFailedError) return unavailable('engine-unavailable', failed, 5, error);
  return error;
}
