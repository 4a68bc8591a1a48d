import type { EngineClient } from '../engine-client.js';

/** Texts as an engine's own tokens; only the engine that made it can read more than the counts. */
export interface TokenizedTexts {
  /** Tokens of each text, in order. A text that goes far beyond the engine's limit may be counted only up to past it. */
  readonly tokenCounts: readonly number[];
}

/** What an engine's model can do. */
export interface EmbeddingLimits {
  /** Length of a vector. */
  readonly dimensions: number;
  /** The most tokens one text may have. */
  readonly maxTokensPerText: number;
}

/** Turns texts into vectors on this machine. */
export interface EmbeddingEngine {
  /**
   * What the model can do; loads the model where only it knows.
   *
   * @throws EngineFailedError when the model cannot be loaded; the signal's reason
   */
  describe(signal: AbortSignal): Promise<EmbeddingLimits>;
  /** Splits texts into tokens without blocking the event loop. */
  tokenize(texts: readonly string[], signal: AbortSignal, client?: EngineClient): Promise<TokenizedTexts>;
  /**
   * One vector per text, in order; L2-normalised unless the operator has switched that off.
   *
   * @param client whose share of the queue and whose turns it takes
   * @throws EngineBusyError when its share of the queue is full, EngineFailedError when the engine cannot run;
   *   the signal's reason when it is aborted, in which case waiting work is dropped.
   */
  embed(texts: TokenizedTexts, signal: AbortSignal, client?: EngineClient): Promise<Float32Array[]>;
  /** `idle` until the first use; `failed` after the engine could not be loaded. */
  state(): 'idle' | 'ready' | 'failed';
  /** Ends the workers; what still waits is rejected. */
  close(): Promise<void>;
}
