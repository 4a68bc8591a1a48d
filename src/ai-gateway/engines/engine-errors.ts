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
