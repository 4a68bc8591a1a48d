/** What the main thread and a worker say to each other. */

/** Given to each worker at its start. */
export interface WorkerSettings {
  readonly modelFolder: string;
}

export interface TokenizeTask {
  readonly texts: readonly string[];
  readonly maxTokens: number;
}

/** Tokens of all texts, one after the other. */
export interface TokenizeResult {
  readonly tokenIds: Uint16Array<ArrayBuffer>;
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

/** The reverse of {@link packTokens}; the texts share one buffer. */
export function unpackTokens({ tokenIds, lengths }: TokenizeResult): Uint16Array[] {
  let offset = 0;
  return Array.from(lengths, (length) => tokenIds.subarray(offset, (offset += length)));
}
