import { unavailable } from '../../common/errors/app-error.js';
import { EngineBusyError, EngineFailedError } from './engine-errors.js';

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
