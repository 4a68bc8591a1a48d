interface Memory {
  readonly buffer: ArrayBuffer;
  grow: (this: Memory, pages: number) => number;
}

/** TypeScript's own declaration comes with those of browsers. */
declare const WebAssembly: { readonly Memory: { readonly prototype: Memory } };

const pageBytes = 64 * 1024;
/** Emscripten asks for more than it needs, then for less, and gives up after this many attempts. */
const attempts = 3;
let refusedInARow = 0;
let isRefused = false;

/**
 * Keeps each WebAssembly memory within a limit: beyond it, `malloc` in PDFium and Tesseract returns 0. Call it before
 * they are loaded.
 */
export function limitWasmMemory(limitBytes: number): void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * pageBytes <= limitBytes) {
      refusedInARow = 0;
      return grow.call(this, pages);
    }
    refusedInARow += 1;
    if (refusedInARow === attempts) {
      refusedInARow = 0;
      isRefused = true;
    }
    throw new RangeError(`WebAssembly memory is limited to ${limitBytes} bytes.`);
  };
}

/**
 * Whether memory was refused since the previous call. Libraries may report that as damage, crash, or leave out what
 * they had no memory for.
 */
export function wasMemoryRefused(): boolean {
  const was = isRefused;
  isRefused = false;
  return was;
}
