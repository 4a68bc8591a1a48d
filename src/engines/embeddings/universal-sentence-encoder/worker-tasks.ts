/*
 * Messages between the main thread and the worker threads.
 */

/** Passed to each worker when it starts. */
export interface WorkerSettings {
  readonly modelFolder: string;
}

export interface TokenizeTask {
  readonly texts: readonly string[];
  readonly maxTokens: number;
}

export interface TokenizeResult {
  /** Tokens of all texts, concatenated. */
  readonly tokenIds: Uint16Array<ArrayBuffer>;
  /** Token count of each text. */
  readonly lengths: Uint32Array<ArrayBuffer>;
}

export function packTokens(texts: readonly Uint16Array[]): TokenizeResult {
  const lengths = Uint32Array.from(texts, (text) => text.length);
  const tokenIds = new Uint16Array(lengths.reduce((sum, length) => sum + length, 0));
  let offset = 0;
  for (const text of texts) {
    tokenIds.set(text, offset);
    offset += text.length;
  }
  return { tokenIds, lengths };
}

/** The inverse of {@link packTokens}. The texts share one buffer. */
export function unpackTokens({ tokenIds, lengths }: TokenizeResult): Uint16Array[] {
  let offset = 0;
  return Array.from(lengths, (length) => tokenIds.subarray(offset, (offset += length)));
}
