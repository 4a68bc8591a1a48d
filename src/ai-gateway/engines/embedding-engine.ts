/** Texts as an engine's own tokens; only the engine that made it can read more than the counts. */
export interface TokenizedTexts {
  /** Tokens of each text, in order. A text that goes far beyond the engine's limit may be counted only up to past it. */
  readonly tokenCounts: readonly number[];
}

/** Turns texts into vectors on this machine. */
export interface EmbeddingEngine {
  /** Length of a vector. */
  readonly dimensions: number;
  /** The most tokens one text may have. */
  readonly maxTokensPerText: number;
  /** Splits texts into tokens without blocking the event loop. */
  tokenize(texts: readonly string[], signal: AbortSignal): Promise<TokenizedTexts>;
  /**
   * One L2-normalised vector per text, in order.
   *
   * @throws EngineBusyError when the queue is full, EngineFailedError when the engine cannot run;
   *   the signal's reason when it is aborted, in which case waiting work is dropped.
   */
  embed(texts: TokenizedTexts, signal: AbortSignal): Promise<Float32Array[]>;
  /** `idle` until the first use; `failed` after the engine could not be loaded. */
  state(): 'idle' | 'ready' | 'failed';
  /** Ends the workers; what still waits is rejected. */
  close(): Promise<void>;
}
