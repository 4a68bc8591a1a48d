import { Agent, type Dispatcher, request } from 'undici';
import { ByteCollector } from '../body/byte-collector.js';
import { documentTooLarge } from '../body/document-limit.js';
import type { DocumentMemoryShare } from '../../body/document-memory.js';
import { cutOff, refused, timedOut, tooManyFetches, unreachable } from './fetch-failures.js';
import type { FetchRules } from './fetch-rules.js';
import { guardedConnector } from './guarded-connector.js';
import { checkResponse, checkUrl, redirectTarget } from './response-checks.js';

const mostRedirects = 5;

/** What a document is fetched for. */
export interface FetchContext {
  organizationId: string;
  /** Where the bytes are counted. */
  share: DocumentMemoryShare;
  /** Ends the fetch when the client has gone. */
  signal: AbortSignal;
}

const headers = {
  'user-agent': 'keycard',
  accept: 'application/pdf, image/*, application/octet-stream;q=0.5',
  'accept-encoding': 'identity',
};

/** Fetches documents from the public internet, without anything of ours: no credentials, no cookies, no proxy. */
export class DocumentFetcher {
  /** Fetches in progress by organization. */
  private readonly inProgress = new Map<string, number>();

  constructor(private readonly rules: FetchRules) {}

  /**
   * @throws AppError 400 that names `document`, 413 for too large a document, 429 when the organization is fetching as
   *   many as allowed, 503 when there is no memory for it
   */
  async fetch(url: URL, context: FetchContext): Promise<Buffer> {
    this.begin(context.organizationId);
    try {
      return await this.fetchDocument(url, context);
    } finally {
      this.end(context.organizationId);
    }
  }

  private begin(organizationId: string): void {
    const count = this.inProgress.get(organizationId) ?? 0;
    if (count >= this.rules.fetchesPerOrganization) throw tooManyFetches(this.rules.fetchesPerOrganization);
    this.inProgress.set(organizationId, count + 1);
  }

  private end(organizationId: string): void {
    const count = (this.inProgress.get(organizationId) ?? 1) - 1;
    if (count === 0) this.inProgress.delete(organizationId);
    else this.inProgress.set(organizationId, count);
  }

  private async fetchDocument(url: URL, { share, signal }: FetchContext): Promise<Buffer> {
    const deadline = AbortSignal.timeout(this.rules.timeoutSeconds * 1000);
    // One for each document: nothing of one request is left for the next, not even a connection.
    const agent = new Agent({ connect: guardedConnector(this.rules), maxHeaderSize: 16 * 1024 });
    const end = AbortSignal.any([signal, deadline]);
    // A request that still waits for its connection would not notice the signal.
    end.addEventListener('abort', () => void agent.destroy(), { once: true });
    try {
      end.throwIfAborted();
      const response = await this.follow(url, agent, end);
      return await this.collect(response, share);
    } catch (error) {
      signal.throwIfAborted();
      throw deadline.aborted ? timedOut(this.rules.timeoutSeconds) : error;
    } finally {
      // Not awaited: an answer that is still arriving is cut off.
      void agent.destroy();
    }
  }

  /** The answer after all redirects, each of which is checked like the first URL. */
  private async follow(url: URL, agent: Agent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let target = url;
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      checkUrl(target);
      const response = await get(target, agent, signal);
      const next = redirectTarget(response, target);
      if (next === undefined) return response;
      discard(response);
      target = next;
    }
    throw refused(`it was redirected more than ${mostRedirects} times`);
  }

  private async collect(response: Dispatcher.ResponseData, share: DocumentMemoryShare): Promise<Buffer> {
    const tooLarge = () => documentTooLarge('document');
    try {
      checkResponse(response);
      const expectedBytes = Number(response.headers['content-length']);
      if (expectedBytes > this.rules.largestBytes) throw tooLarge();
      const document = new ByteCollector({ share, limitBytes: this.rules.largestBytes, tooLarge, expectedBytes });
      for await (const chunk of chunksOf(response)) document.add(chunk);
      return document.bytes();
    } finally {
      discard(response);
    }
  }
}

async function get(url: URL, agent: Agent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  try {
    return await request(url, { dispatcher: agent, signal, headers });
  } catch (error) {
    throw unreachable(error);
  }
}

async function* chunksOf(response: Dispatcher.ResponseData): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw cutOff(error);
  }
}

/** Leaves the rest of an answer unread. */
function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => undefined);
  body.destroy();
}
