import { unavailable } from '../../../common/errors/app-error.js';
import { largestResponseBytes } from './document-limit.js';

/** Long enough for a document or two to be read. */
const retryAfterSeconds = 5;

/** Limits the memory that request bodies, documents and OCR results take in all requests together. */
export class DocumentMemory {
  private heldBytes = 0;

  constructor(
    private readonly limitBytes: number,
    /** Of a single response. */
    readonly responseLimitBytes = largestResponseBytes,
  ) {}

  /** The part of one request, which must release it when it ends. */
  open(): DocumentMemoryShare {
    let ownBytes = 0;
    const refuse = (bytes: number) => {
      if (this.heldBytes + bytes <= this.limitBytes) return;
      throw unavailable('overloaded', 'Too many large requests are in progress.', retryAfterSeconds);
    };
    return {
      expect: refuse,
      take: (bytes) => {
        refuse(bytes);
        ownBytes += bytes;
        this.heldBytes += bytes;
      },
      release: () => {
        this.heldBytes -= ownBytes;
        ownBytes = 0;
      },
    };
  }
}

/** What one request holds of the memory for documents. */
export interface DocumentMemoryShare {
  /** @throws AppError 503 when so many bytes would not fit now; lets a body be refused before it is read */
  expect(bytes: number): void;
  /**
   * Counts bytes that have arrived. Not before they have: a client that announces much and sends nothing keeps
   * nobody out.
   *
   * @throws AppError 503 when they do not fit
   */
  take(bytes: number): void;
  release(): void;
}
