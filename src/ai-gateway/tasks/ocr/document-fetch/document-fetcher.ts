import type { Agent, Dispatcher } from 'undici';
import { startTimeout } from '../../../../common/deadline.js';
import type { MemoryShare } from '../../../../common/http/body-memory.js';
import { BodyReader } from '../../../../common/http/body-reader.js';
import { guardedConnector } from '../../../../common/http/guarded-connector.js';
import { loadUndici } from '../../../../common/http/load-undici.js';
import { documentTooLarge } from '../body/document-limit.js';
import {
  checkResponse,
  checkUrl,
  cutOff,
  fetchFailed,
  redirectTarget,
  timedOut,
  tooManyFetches,
  unreachable,
} from './fetch-checks.js';
import type { FetchRules } from './fetch-rules.js';

const maxRedirects = 5;

/** Owner, memory and cancellation of a fetch. */
export interface FetchContext {
  organizationId: string;
  /** What the document is counted against. */
  memory: MemoryShare;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

const headers = {
  'user-agent': 'keycard',
  accept: 'application/pdf, image/*, application/octet-stream;q=0.5',
  'accept-encoding': 'identity',
};

/** Fetches documents from the public internet, without credentials, cookies or a proxy. */
export class DocumentFetcher {
  /** Fetches in progress by organization. */
  private readonly inProgress = new Map<string, number>();

  constructor(private readonly rules: FetchRules) {}

  /**
   * @throws AppError 400 that names `document`, 413 if the document is too large, 429 if the organization has reached
   *   its limit of concurrent fetches, 503 if there is no memory for it
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

  private async fetchDocument(url: URL, { memory, signal }: FetchContext): Promise<Buffer> {
    const timeout = startTimeout(this.rules.timeoutSeconds * 1000);
    // One agent for each document, so that requests share nothing, not even a connection.
    const { Agent } = loadUndici();
    const agent = new Agent({ connect: guardedConnector(this.rules), maxHeaderSize: 16 * 1024 });
    const end = AbortSignal.any([signal, timeout.signal]);
    // A request that is still waiting for its connection ignores the signal.
    end.addEventListener('abort', () => void agent.destroy(), { once: true });
    try {
      end.throwIfAborted();
      const response = await this.follow(url, agent, end);
      return await this.readDocument(response, memory);
    } catch (error) {
      signal.throwIfAborted();
      throw timeout.signal.aborted ? timedOut(this.rules.timeoutSeconds) : error;
    } finally {
      timeout.clear();
      // Not awaited: cuts off a response that is still arriving.
      void agent.destroy();
    }
  }

  /** The response after all redirects. Each URL is checked like the first. */
  private async follow(url: URL, agent: Agent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let target = url;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      checkUrl(target);
      const response = await get(target, agent, signal);
      const next = redirectTarget(response, target);
      if (next === undefined) return response;
      discard(response);
      target = next;
    }
    throw fetchFailed(`it was redirected more than ${maxRedirects} times`);
  }

  private async readDocument(response: Dispatcher.ResponseData, memory: MemoryShare): Promise<Buffer> {
    const { maxBytes, timeoutSeconds } = this.rules;
    const errors = { tooLarge: () => documentTooLarge('document'), stalled: () => timedOut(timeoutSeconds), cutOff };
    try {
      checkResponse(response);
      const announcedBytes = Number(response.headers['content-length']);
      if (announcedBytes > maxBytes) throw errors.tooLarge();
      const body = new BodyReader(response.body, { maxBytes, idleMilliseconds: timeoutSeconds * 1000 }, errors);
      return await body.readAll(memory, announcedBytes);
    } finally {
      discard(response);
    }
  }
}

async function get(url: URL, agent: Agent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  try {
    return await loadUndici().request(url, { dispatcher: agent, signal, headers });
  } catch (error) {
    throw unreachable(error);
  }
}

function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => undefined);
  body.destroy();
}
