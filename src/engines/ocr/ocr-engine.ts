import type {
  FailedPage,
  ReadOptions as DocumentReadOptions,
  ReadPage,
} from '../../../document-reader/src/read-page.js';
import type { QueueLoad } from '../engine-state.js';
import type { EngineClient } from '../engine-client.js';

export { DocumentError, type DocumentProblem } from '../../../document-reader/src/errors.js';
export type {
  FailedPage,
  ImageOptions,
  PageImage,
  PageWarning,
  ReadPage,
  WordConfidence,
} from '../../../document-reader/src/read-page.js';

export interface ReadOptions extends DocumentReadOptions {
  /** Determines the share of the queue and the order of work. */
  readonly client?: EngineClient;
}

/** Reads documents inside Keycard. */
export interface OcrEngine {
  /** Languages that {@link ReadOptions} may name. */
  readonly languages: readonly string[];
  /** @throws EngineBusyError if no more documents of the client can wait, so that its request can be rejected early */
  rejectIfBusy(client?: EngineClient): void;
  /**
   * Returns the requested pages in ascending order.
   *
   * @throws DocumentError if the document can't be read at all; EngineBusyError immediately if the client's share of the
   *   queue is full; EngineFailedError if the engine can't run; the signal's reason. After an abort, work on the document
   *   stops.
   */
  read(document: Buffer, options: ReadOptions, signal: AbortSignal): Promise<(ReadPage | FailedPage)[]>;
  /** `idle` before the first use; `failed` if the engine could not be loaded or run. */
  state(): 'idle' | 'ready' | 'failed';
  /** How much work waits, and how many workers are busy. */
  load(): QueueLoad;
  /** Ends the workers and rejects waiting work. */
  close(): Promise<void>;
}
