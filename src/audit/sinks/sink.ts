/** Consecutive events in the order of their leaves. */
export interface SinkBatch {
  events: SinkEvent[];
  /** Positions of the first and the last leaf. */
  first: number;
  last: number;
}

export interface SinkEvent {
  /** JSON with the index in the tree and the canonical event, without a line break. */
  line: string;
  action: string;
  occurredAt: Date;
}

/** Receives audit events. */
export interface Sink {
  /** Events per batch. */
  readonly maxEvents: number;
  /** How long a smaller batch waits for more events. */
  readonly waitMilliseconds: number;
  /**
   * Resolves once the receiver has acknowledged all events.
   *
   * @throws SinkError, or any other error, if it's unknown whether it has them
   */
  deliver: (batch: SinkBatch, signal: AbortSignal) => Promise<void>;
}

/** A delivery that the receiver refused. */
export class SinkError extends Error {
  override name = 'SinkError';

  constructor(
    message: string,
    /** Undefined: as after any failure. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** The lines of a batch, each with a line break. */
export const toLines = ({ events }: SinkBatch) => events.map(({ line }) => `${line}\n`).join('');
