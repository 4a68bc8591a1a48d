interface Memory {
  readonly buffer: ArrayBuffer;
  grow: (this: Memory, pages: number) => number;
}

/** Declared here, because TypeScript's declaration is part of its DOM types. */
declare const WebAssembly: { readonly Memory: { readonly prototype: Memory } };

const pageBytes = 64 * 1024;
/** Emscripten asks for more memory than it needs, then twice for less, before it gives up. */
const maxGrowAttempts = 3;
let consecutiveRefusals = 0;
let hasRefused = false;

/**
 * Limits the size of each WebAssembly memory. Beyond it, `malloc` in PDFium and Tesseract returns 0. Must be called before
 * they are loaded.
 */
export function limitWasmMemory(maxBytes: number): void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * pageBytes <= maxBytes) {
      consecutiveRefusals = 0;
      return grow.call(this, pages);
    }
    consecutiveRefusals += 1;
    if (consecutiveRefusals === maxGrowAttempts) {
      consecutiveRefusals = 0;
      hasRefused = true;
    }
    throw new RangeError(`WebAssembly memory is limited to ${maxBytes} bytes.`);
  };
}

/**
 * Whether memory has been refused since the last call. Libraries may react by reporting a damaged document, by crashing,
 * or by skipping parts of a page.
 */
export function wasMemoryRefused(): boolean {
  const result = hasRefused;
  hasRefused = false;
  return result;
}
