import { unavailable } from '../../common/errors/app-error.js';
import { fitsFairShare } from '../../engines/fair-share.js';
import { type EngineClient, ownClient } from '../../engines/engine-client.js';
import { largestResponseBytes } from '../ocr/body/document-limit.js';

/** Long enough for a document or two to be read. */
const retryAfterSeconds = 5;

/**
 * Limits the memory that request bodies, documents and OCR results take in all requests together. Organizations share
 * it, so that none can use it up.
 */
export class DocumentMemory {
  private heldBytes = 0;
  /** The same by organization; requests without one share the empty id. */
  private readonly heldBytesOf = new Map<string, number>();

  constructor(
    private readonly limitBytes: number,
    /** Of a single response. */
    readonly responseLimitBytes = largestResponseBytes,
  ) {}

  /** The part of one request, which must release it when it ends. */
  open({ organizationId }: Pick<EngineClient, 'organizationId'> = ownClient): DocumentMemoryShare {
    let ownBytes = 0;
    const refuse = (wanted: number) => {
      const held = this.heldBytesOf.get(organizationId) ?? 0;
      if (fitsFairShare({ limit: this.limitBytes, used: this.heldBytes, held, wanted })) return;
      throw unavailable('overloaded', 'Too many large requests are in progress.', retryAfterSeconds);
    };
    return {
      expect: refuse,
      take: (bytes) => {
        refuse(bytes);
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
