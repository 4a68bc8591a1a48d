import type { DocumentJob } from './document-job.js';

/**
 * Decides which document a free worker continues with. Workers read one page, then return the document to the queue, so
 * documents and clients can take turns.
 */
export interface DocumentQueue<Client> {
  readonly size: number;
  push(client: Client, document: DocumentJob<Client>): void;
  /** Removes the next document and returns it. */
  shift(): DocumentJob<Client> | undefined;
  /** Removes a document, if it's in the queue. */
  remove(client: Client, document: DocumentJob<Client>): void;
}

/** Documents take turns in the order of their arrival. */
export class ArrivalQueue<Client> implements DocumentQueue<Client> {
  private readonly documents: DocumentJob<Client>[] = [];

  get size(): number {
    return this.documents.length;
  }

  push(_client: Client, document: DocumentJob<Client>): void {
    this.documents.push(document);
  }

  shift(): DocumentJob<Client> | undefined {
    return this.documents.shift();
  }

  remove(_client: Client, document: DocumentJob<Client>): void {
    const index = this.documents.indexOf(document);
    if (index !== -1) this.documents.splice(index, 1);
  }
}
