import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../common/errors/app-error.js';
import type { ErrorCode } from '../../common/errors/error-catalog.js';
import { errorCode, errorMessage } from '../../common/errors/error-utils.js';
import type { UpstreamTarget } from '../../config/model-definition.js';
import type { Outcome } from './upstream-client.js';
import { readUpstreamMessage } from './upstream-message.js';

/** For upstreams that are unavailable and don't send `Retry-After`. */
const defaultRetryAfterSeconds = 5;

interface UpstreamResponse {
  /** HTTP status code. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The whole body, or its first 64 kB. */
  readonly beginning: Buffer;
}

interface FailureFacts {
  /** What the upstream did, for the Models page; without anything internal such as an IP address. */
  reason: string;
  /** Error code for the client. */
  code: ErrorCode;
  detail: string;
  param?: string;
  retryAfterSeconds?: number;
  /** Whether another target may be tried: nothing was sent, or the upstream reports that it did nothing. */
  maySendElsewhere: boolean;
  /** Reported to the circuit. */
  outcome: Outcome;
}

/** Why an upstream gave no response that can be forwarded. The message is for the log. */
export class UpstreamFailure extends Error {
  override name = 'UpstreamFailure';
  /** The error for the client. */
  readonly clientError: AppError;
  readonly maySendElsewhere: boolean;
  readonly outcome: Outcome;
  readonly reason: string;

  constructor(message: string, { code, detail, param, retryAfterSeconds, ...facts }: FailureFacts) {
    super(message);
    this.maySendElsewhere = facts.maySendElsewhere;
    this.outcome = facts.outcome;
    this.reason = facts.reason;
    this.clientError = new AppError(code, detail, {
      cause: this,
      fields: param === undefined ? [] : [{ field: param, message: detail }],
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    });
  }

  /** Whether the upstream is at fault, not the request or its client. */
  get isUpstreamFault(): boolean {
    return this.outcome !== 'unknown' && !requestFaults.includes(this.clientError.code);
  }
}

const requestFaults: readonly ErrorCode[] = ['upstream-rejected', 'payload-too-large'];

const failed = { code: 'upstream-failed', detail: 'The upstream failed. The log has the cause.' } as const;

/** Connecting failed, or the connection broke. */
export function connectionFailure(target: UpstreamTarget, error: unknown, wasSent: boolean): UpstreamFailure {
  const reason = errorMessage(error) || errorCode(error);
  const what = wasSent ? 'broke the connection' : 'could not be reached';
  return new UpstreamFailure(`${describe(target)} ${what}: ${reason}`, {
    ...failed,
    reason: what,
    maySendElsewhere: !wasSent,
    outcome: 'failure',
  });
}

/** A 2xx response that can't be forwarded, such as an HTML page. */
export function invalidResponse(target: UpstreamTarget, problem: string): UpstreamFailure {
  return new UpstreamFailure(`${describe(target)} responded 2xx with a body that ${problem}.`, {
    ...failed,
    reason: 'sent an invalid response',
    maySendElsewhere: false,
    outcome: 'failure',
  });
}

/** @param isRequestSent whether the upstream had the whole request: otherwise, the client may be at fault */
export function lateResponse(target: UpstreamTarget, isRequestSent: boolean): UpstreamFailure {
  const { timeoutSeconds } = target;
  const reason = `did not respond within ${timeoutSeconds} s`;
  return new UpstreamFailure(`${describe(target)} ${reason}.`, {
    reason,
    code: 'upstream-timeout',
    detail: `The upstream did not respond within ${timeoutSeconds} s.`,
    maySendElsewhere: false,
    outcome: isRequestSent ? 'failure' : 'unknown',
  });
}

/** A response with a status other than 2xx. */
export function rejection(target: UpstreamTarget, { status, headers, beginning }: UpstreamResponse): UpstreamFailure {
  const reason = `responded ${status}`;
  const log = `${describe(target)} ${reason}.`;
  const retryAfterSeconds = readRetryAfterSeconds(headers['retry-after'], Date.now());
  const outcome = status >= 500 ? 'failure' : 'success';
  switch (status) {
    case 400:
    case 413:
    case 422: {
      const { message, param } = readUpstreamMessage(beginning, target.apiKey);
      const detail = message ?? 'The upstream rejected the request without a reason.';
      const code = status === 413 ? 'payload-too-large' : 'upstream-rejected';
      return new UpstreamFailure(log, { reason, code, detail, param, maySendElsewhere: false, outcome });
    }
    case 429: {
      const detail = 'The upstream rate limit is reached. Retry later.';
      const code = 'upstream-rate-limited';
      return new UpstreamFailure(log, { reason, code, detail, retryAfterSeconds, maySendElsewhere: true, outcome });
    }
    case 503:
      return new UpstreamFailure(log, {
        reason,
        code: 'upstream-unavailable',
        detail: 'The upstream is unavailable. Retry later.',
        retryAfterSeconds: retryAfterSeconds ?? defaultRetryAfterSeconds,
        maySendElsewhere: retryAfterSeconds !== undefined,
        outcome,
      });
    default:
      return new UpstreamFailure(log, { reason, ...failed, maySendElsewhere: false, outcome });
  }
}

/** Names the target in the log, without secrets in its URL. */
function describe({ baseUrl, model }: UpstreamTarget): string {
  const { origin, pathname } = new URL(baseUrl);
  return `Upstream ${origin}${pathname}, model ${model},`;
}

/**
 * The delay of a `Retry-After` header in whole seconds; undefined if it can't be read.
 *
 * @param header seconds, or a date (RFC 9110 §10.2.3)
 * @param nowMilliseconds Unix time
 */
export function readRetryAfterSeconds(header: string | undefined, nowMilliseconds: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Math.max(1, Number(header));
  const date = /^[A-Z]/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(1, Math.ceil((date - nowMilliseconds) / 1000));
}
