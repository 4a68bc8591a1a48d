import { unavailable } from '../errors/app-error.js';
import { fitsFairShare } from '../fair-share.js';

/** Enough time to process a large request or two. */
const retryAfterSeconds = 5;
const firstAllocationBytes = 64 * 1024;
const empty = Buffer.alloc(0);

/** The memory of one request. */
export interface MemoryShare {
  /**
   * Checks an announced size without counting it, because a client may announce much and send nothing.
   *
   * @throws AppError 503 if it doesn't fit now
   */
  expect(bytes: number): void;
  /**
   * Counts bytes that have arrived.
   *
   * @throws AppError 503 if they don't fit
   */
  take(bytes: number): void;
  release(): void;
}

/**
 * Limits the memory for request bodies, documents and OCR results of all requests together. Organizations share it
 * fairly, so that none can use it up.
 */
export class BodyMemory {
  private heldBytes = 0;
  /** By organization; requests without one share the empty id. */
  private readonly heldBytesOf = new Map<string, number>();

  constructor(private readonly maxBytes: number) {}

  /** The share of one request, which must release it when it ends. */
  open(organizationId = ''): MemoryShare {
    let ownBytes = 0;
    const check = (wanted: number) => {
      const held = this.heldBytesOf.get(organizationId) ?? 0;
      if (fitsFairShare({ limit: this.maxBytes, used: this.heldBytes, held, wanted })) return;
      throw unavailable('overloaded', 'Too many large requests are in progress.', retryAfterSeconds);
    };
    return {
      expect: check,
      take: (bytes) => {
        check(bytes);
        ownBytes += bytes;
        this.count(organizationId, bytes);
      },
      release: () => {
        this.count(organizationId, -ownBytes);
        ownBytes = 0;
      },
    };
  }

  private count(organizationId: string, bytes: number): void {
    this.heldBytes += bytes;
    const held = (this.heldBytesOf.get(organizationId) ?? 0) + bytes;
    if (held === 0) this.heldBytesOf.delete(organizationId);
    else this.heldBytesOf.set(organizationId, held);
  }
}

/**
 * Collects chunks in one buffer as they arrive. Joining the chunks of 50 MB at the end would block the event loop for
 * tens of milliseconds, and keeping tiny chunks would take many times their size.
 */
export class ByteCollector {
  private buffer: Buffer = empty;
  private collectedBytes = 0;

  constructor(private readonly memory: MemoryShare) {}

  get length(): number {
    return this.collectedBytes;
  }

  /** What was collected so far, without copying. */
  get bytes(): Buffer {
    return this.collectedBytes === this.buffer.length ? this.buffer : this.buffer.subarray(0, this.collectedBytes);
  }

  /**
   * Allocates the announced size in one piece. Memory takes no space until it's written to.
   *
   * @param bytes ignored if it isn't a valid size
   */
  reserve(bytes: number | undefined): void {
    if (bytes !== undefined && Number.isSafeInteger(bytes) && bytes > this.buffer.length) this.allocate(bytes);
  }

  /** @throws AppError 503 if there is no memory for the chunk */
  add(chunk: Buffer): void {
    this.memory.take(chunk.length);
    const length = this.collectedBytes + chunk.length;
    if (this.buffer.length === 0) {
      // Small bodies come in one chunk and aren't copied.
      this.buffer = chunk;
    } else {
      if (length > this.buffer.length) {
        this.allocate(Math.max(length, this.buffer.length * 2, firstAllocationBytes));
      }
      chunk.copy(this.buffer, this.collectedBytes);
    }
    this.collectedBytes = length;
  }

  /** Forgets what was collected. */
  clear(): void {
    this.buffer = empty;
    this.collectedBytes = 0;
  }

  private allocate(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(bytes);
    this.bytes.copy(larger);
    this.buffer = larger;
  }
}
