import type { TokenIds } from './window-queue.js';

/** Windows of one batch, padded to the longest. */
export interface PackedWindows {
  /** `[windows, width]`, row by row; padding is any id. */
  readonly tokenIds: Int32Array<ArrayBuffer>;
  /** Tokens of each window, all at least 1. */
  readonly lengths: Uint16Array<ArrayBuffer>;
  readonly width: number;
}

/** Copies the windows into one padded task. */
export function packWindows(windows: readonly TokenIds[]): PackedWindows {
  const width = windows.reduce((longest, window) => Math.max(longest, window.length), 1);
  const tokenIds = new Int32Array(windows.length * width);
  windows.forEach((window, row) => tokenIds.set(window, row * width));
  return { tokenIds, lengths: Uint16Array.from(windows, (window) => window.length), width };
}
