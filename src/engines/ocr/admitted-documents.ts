import { fitsFairShare } from '../../common/fair-share.js';
import type { EngineClient } from '../engine-client.js';
import { EngineBusyError } from '../engine-errors.js';

/** Waiting and running documents of all organizations. */
export const maxDocuments = 64;
/** Total size of these documents. */
export const maxDocumentsBytes = 512 * 1024 * 1024;
/** About the time of a few pages. */
const retryAfterSeconds = 5;

interface AdmittedDocument {
  readonly organizationId: string;
  readonly bytes: number;
}

/** The documents that an engine has taken. Organizations share its room for them. */
export class AdmittedDocuments {
  private readonly documents = new Set<AdmittedDocument>();

  constructor(
    private readonly maxCount: number,
    private readonly maxBytes: number,
  ) {}

  /** @throws EngineBusyError if the share of the client's organization has no room for another document */
  rejectIfFull({ organizationId }: EngineClient): void {
    this.requireShare(organizationId, this.maxCount, 1, () => 1);
  }

  /**
   * @returns a function that makes room again
   * @throws EngineBusyError if the share of the client's organization has no room for the document
   */
  admit(client: EngineClient, bytes: number): () => void {
    this.rejectIfFull(client);
    const { organizationId } = client;
    this.requireShare(organizationId, this.maxBytes, bytes, (document) => document.bytes);
    const document = { organizationId, bytes };
    this.documents.add(document);
    return () => this.documents.delete(document);
  }

  /** @param sizeOf returns the part of the limit that a document uses */
  private requireShare(
    organizationId: string,
    limit: number,
    wanted: number,
    sizeOf: (document: AdmittedDocument) => number,
  ): void {
    let used = 0;
    let held = 0;
    for (const document of this.documents) {
      const size = sizeOf(document);
      used += size;
      if (document.organizationId === organizationId) held += size;
    }
    if (!fitsFairShare({ limit, used, held, wanted })) throw new EngineBusyError(retryAfterSeconds);
  }
}
