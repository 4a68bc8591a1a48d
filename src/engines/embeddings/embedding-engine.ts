import type { EngineClient } from '../engine-client.js';
import type { QueueLoad } from '../engine-state.js';

/** Tokenized texts. Their tokens are private to the engine that created them. */
export interface TokenizedTexts {
  /** Token count of each text, in order. For a text far over the limit, any count over the limit. */
  readonly tokenCounts: readonly number[];
  /** Whether the model knows no token of a text, such as one of emoji only. All of these texts get the same vector. */
  readonly hasUnknownText: boolean;
  /** Returns the texts at these indexes. */
  pick(indexes: readonly number[]): TokenizedTexts;
}

/** Returns the items at these indexes. */
export function pickFrom<Item>(items: readonly Item[], indexes: readonly number[]): Item[] {
  return indexes.map((index) => items[index]).filter((item) => item !== undefined);
}

/** Limits of a model. */
export interface EmbeddingLimits {
  /** Length of a vector. */
  readonly dimensions: number;
  readonly maxTokensPerText: number;
}

/** Converts texts to vectors inside Keycard. */
export interface EmbeddingEngine {
  /**
   * Returns the model's limits. Loads the model unless they are already known.
   *
   * @throws EngineFailedError if the model can't be loaded; the signal's reason
   */
  describe(signal: AbortSignal): Promise<EmbeddingLimits>;
  /** The model's limits, if they are known without loading it. */
  readonly knownLimits: EmbeddingLimits | undefined;
  /** Tokenizes texts without blocking the event loop. */
  tokenize(texts: readonly string[], signal: AbortSignal, client?: EngineClient): Promise<TokenizedTexts>;
  /**
   * Returns one vector per text, in order. Vectors have length 1 unless the operator disabled normalization.
   *
   * @param client determines the share of the queue and the order of work
   * @throws EngineBusyError if the client's share of the queue is full; EngineFailedError if the engine can't run; the
   *   signal's reason. After an abort, waiting work is dropped.
   */
  embed(texts: TokenizedTexts, signal: AbortSignal, client?: EngineClient): Promise<Float32Array[]>;
  /** `idle` before the first use; `failed` if the engine could not be loaded or run. */
  state(): 'idle' | 'ready' | 'failed';
  /** How much work waits, and how many workers are busy. */
  load(): QueueLoad;
  /** Ends the workers and rejects waiting work. */
  close(): Promise<void>;
}
