import type { AppError } from '../../../common/errors/app-error.js';
import type { DocumentMemoryShare } from '../../body/document-memory.js';

interface ByteCollectorOptions {
  share: DocumentMemoryShare;
  limitBytes: number;
  /** What to throw when more than the limit arrives. */
  tooLarge: () => AppError;
  /** How much was announced; whatever is no size is ignored. */
  expectedBytes?: number;
}

const smallestBytes = 64 * 1024;

/**
 * Gathers bytes as they arrive, in one piece of memory of the announced size: joining the chunks of 50 MB at the
 * end would stop the event loop for tens of milliseconds. Memory that nothing was written to costs nothing.
 */
export class ByteCollector {
  private buffer: Buffer;
  private size = 0;

  constructor(private readonly options: ByteCollectorOptions) {
    const { expectedBytes = NaN, limitBytes } = options;
    const isSize = Number.isSafeInteger(expectedBytes) && expectedBytes > 0;
    this.buffer = Buffer.allocUnsafeSlow(Math.min(isSize ? expectedBytes : smallestBytes, limitBytes));
  }

  /** @throws AppError of `tooLarge`, or 503 when all documents together are too large */
  add(chunk: Buffer): void {
    const size = this.size + chunk.length;
    if (size > this.options.limitBytes) throw this.options.tooLarge();
    this.options.share.take(chunk.length);
    if (size > this.buffer.length) this.grow(size);
    chunk.copy(this.buffer, this.size);
    this.size = size;
  }

  /** What has arrived. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.size);
  }

  private grow(size: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(size, this.buffer.length * 2), this.options.limitBytes));
    this.bytes().copy(larger);
    this.buffer = larger;
  }
}
