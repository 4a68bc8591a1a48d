import type { TokenIds } from './window-queue.js';

/** The windows of a batch, padded to equal width. */
export interface PackedWindows {
  /** `[windows, width]` in row-major order. The value of padding is arbitrary. */
  readonly tokenIds: Int32Array<ArrayBuffer>;
  /** Token count of each window, at least 1. */
  readonly lengths: Uint16Array<ArrayBuffer>;
  readonly width: number;
}

export function packWindows(windows: readonly TokenIds[]): PackedWindows {
  const width = windows.reduce((max, window) => Math.max(max, window.length), 1);
  const tokenIds = new Int32Array(windows.length * width);
  windows.forEach((window, row) => tokenIds.set(window, row * width));
  return { tokenIds, lengths: Uint16Array.from(windows, (window) => window.length), width };
}
