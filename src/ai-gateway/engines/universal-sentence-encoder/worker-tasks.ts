/** What the main thread and a worker say to each other. */

/** Given to each worker at its start. */
export interface WorkerSettings {
  readonly modelFolder: string;
}

/** Windows of one batch, padded to the longest. */
export interface EmbedTask {
  /** `[windows, width]`, row by row; padding is any id. */
  readonly tokenIds: Int32Array<ArrayBuffer>;
  /** Tokens of each window, all at least 1. */
  readonly lengths: Uint16Array<ArrayBuffer>;
  readonly width: number;
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

/** Copies the windows into one padded task. */
export function packWindows(windows: readonly Uint16Array[]): EmbedTask {
  const width = windows.reduce((longest, window) => Math.max(longest, window.length), 1);
  const tokenIds = new Int32Array(windows.length * width);
  windows.forEach((window, row) => tokenIds.set(window, row * width));
  return { tokenIds, lengths: Uint16Array.from(windows, (window) => window.length), width };
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
