import type { Dispatcher, Pool } from 'undici';
import { startTimeout } from '../../common/deadline.js';
import { errorCode } from '../../common/errors/error-utils.js';
import { guardedConnector, type GuardRules, noAllowedAddress } from '../../common/http/guarded-connector.js';
import { loadUndici } from '../../common/http/load-undici.js';
import { toStorableText } from '../../common/storable.js';
import { keptResponseLength } from '../dto/delivery.dto.js';

/** How an attempt ended. */
export interface AttemptResult {
  /** Null without a response. */
  readonly status: number | null;
  /** Why there is no response; null if there is one. */
  readonly error: string | null;
  /** First kilobyte of the response. */
  readonly response: string | null;
  readonly durationMs: number;
  /** Of the header `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
}

/** How long a response may take after its status, which decides. */
const bodyPatienceMilliseconds = 1000;

/** Sends requests to one URL, without following redirects. The connection is kept until it's closed. */
export class WebhookSender {
  private pool: Pool | undefined;

  /** @param rules what it may connect to */
  constructor(
    private readonly url: URL,
    private readonly rules: GuardRules,
    private readonly timeoutSeconds: number,
  ) {}

  /**
   * Sends a request. Never fails, except when the signal aborts it.
   *
   * @throws the reason of the signal
   */
  async send(body: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<AttemptResult> {
    const start = performance.now();
    const timeout = startTimeout(this.timeoutSeconds * 1000);
    const end = AbortSignal.any([signal, timeout.signal]);
    // A request that is still waiting for its connection ignores the signal.
    end.addEventListener('abort', () => this.close(), { once: true });
    try {
      end.throwIfAborted();
      const response = await this.open().request({
        method: 'POST',
        path: this.url.pathname + this.url.search,
        headers: { 'content-type': 'application/json', 'user-agent': 'keycard', ...headers },
        body,
        signal: end,
      });
      const text = await readStart(response);
      return {
        status: response.statusCode,
        error: null,
        response: text,
        durationMs: Math.round(performance.now() - start),
        retryAfterSeconds: readRetryAfter(response.headers['retry-after']),
      };
    } catch (error) {
      signal.throwIfAborted();
      this.close();
      const reason = timeout.signal.aborted ? `No response within ${this.timeoutSeconds} s.` : describe(error);
      const durationMs = Math.round(performance.now() - start);
      return { status: null, error: reason, response: null, durationMs, retryAfterSeconds: undefined };
    } finally {
      timeout.clear();
    }
  }

  /** Ends the connection; the next request opens another. */
  close(): void {
    const { pool } = this;
    this.pool = undefined;
    void pool?.destroy();
  }

  private open(): Pool {
    const { Pool } = loadUndici();
    return (this.pool ??= new Pool(this.url.origin, {
      connections: 1,
      connect: guardedConnector(this.rules),
      maxHeaderSize: 16 * 1024,
      headersTimeout: 0,
      bodyTimeout: 0,
    }));
  }
}

/** The first kilobyte of a response, or what arrives of it in time. */
async function readStart({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => body.destroy(), bodyPatienceMilliseconds);
  body.on('error', () => undefined);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= keptResponseLength) break;
    }
  } catch {
    // The status has decided already.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  return toStorableText(Buffer.concat(chunks).subarray(0, keptResponseLength).toString(), keptResponseLength);
}

/** Seconds or a date; undefined for anything else. */
function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const seconds = (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) || seconds <= 0 ? undefined : seconds;
}

const certificateErrors = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * The same for a name without addresses and a forbidden address, so that no one learns which internal names exist, and for every
 * way in which an allowed address can be silent.
 */
function describe(error: unknown): string {
  const code = errorCode(error) ?? '';
  if (certificateErrors.test(code)) return `The certificate of the server is not valid (${code}).`;
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return 'The server closed the connection.';
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return 'The server sent no valid HTTP response.';
  if (code === noAllowedAddress) return 'The host name is unknown, or its IP address is not allowed.';
  return 'The server does not respond.';
}
