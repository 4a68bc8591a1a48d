import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type ReportedError } from '../../common/errors/app-error.js';
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
  reported?: ReportedError;
  /** Whether another target may be tried: nothing was sent, or the upstream reports that it did nothing. */
  maySendElsewhere: boolean;
  /** Whether the request failed in a way that another target might not, whatever this one did with it. */
  maySucceedElsewhere?: boolean;
  /** Whether the model reads fewer tokens than the request has. */
  isTooLong?: boolean;
  /** Reported to the circuit. */
  outcome: Outcome;
}

/** Why an upstream gave no response that can be forwarded. The message is for the log. */
export class UpstreamFailure extends Error {
  override name = 'UpstreamFailure';
  /** Not a property, because those are logged, and its message may quote the request. */
  readonly #clientError: AppError;
  readonly maySendElsewhere: boolean;
  readonly maySucceedElsewhere: boolean;
  readonly isTooLong: boolean;
  readonly outcome: Outcome;
  readonly reason: string;

  constructor(message: string, { code, detail, param, retryAfterSeconds, reported, ...facts }: FailureFacts) {
    super(message);
    this.maySendElsewhere = facts.maySendElsewhere;
    this.maySucceedElsewhere = facts.maySucceedElsewhere ?? facts.maySendElsewhere;
    this.isTooLong = facts.isTooLong ?? false;
    this.outcome = facts.outcome;
    this.reason = facts.reason;
    this.#clientError = new AppError(code, detail, {
      cause: this,
      fields: param === undefined ? [] : [{ field: param, message: detail }],
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
      ...(reported && { reported }),
    });
  }

  /** The error for the client. */
  get clientError(): AppError {
    return this.#clientError;
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
    maySucceedElsewhere: true,
    outcome: 'failure',
  });
}

/** A 2xx response that can't be forwarded, such as an HTML page. */
export function invalidResponse(target: UpstreamTarget, problem: string): UpstreamFailure {
  return new UpstreamFailure(`${describe(target)} responded 2xx with a body that ${problem}.`, {
    ...failed,
    reason: 'sent an invalid response',
    maySendElsewhere: false,
    maySucceedElsewhere: true,
    outcome: 'failure',
  });
}

/**
 * @param isRequestSent whether the upstream had the whole request: otherwise, the client may be at fault
 * @param seconds how long it had to respond
 */
export function lateResponse(target: UpstreamTarget, isRequestSent: boolean, seconds: number): UpstreamFailure {
  const reason = `did not respond within ${seconds} s`;
  return new UpstreamFailure(`${describe(target)} ${reason}.`, {
    reason,
    code: 'upstream-timeout',
    detail: `The upstream did not respond within ${seconds} s.`,
    maySendElsewhere: false,
    maySucceedElsewhere: true,
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

/** How clients get errors of an upstream that keep their status. Others are about Keycard's own credential or settings. */
const reportedCodes: Readonly<Record<number, ErrorCode>> = {
  400: 'upstream-rejected',
  404: 'upstream-rejected',
  408: 'upstream-timeout',
  409: 'upstream-rejected',
  413: 'payload-too-large',
  422: 'upstream-rejected',
  429: 'upstream-rate-limited',
  503: 'upstream-unavailable',
  504: 'upstream-timeout',
};

/** A response with a status other than 2xx, for clients that should get what the upstream reports. */
export function reportedRejection(target: UpstreamTarget, response: UpstreamResponse): UpstreamFailure {
  const { status, headers, beginning } = response;
  const code = reportedCodes[status] ?? (status >= 500 ? 'upstream-failed' : undefined);
  if (code === undefined) return rejection(target, response);
  const { message, param, type, code: theirCode } = readUpstreamMessage(beginning, target.apiKey);
  const reason = `responded ${status}`;
  return new UpstreamFailure(`${describe(target)} ${reason}.`, {
    reason,
    code,
    detail: message ?? `The upstream responded ${status} without a reason.`,
    reported: { status, type, code: theirCode, param },
    retryAfterSeconds: readRetryAfterSeconds(headers['retry-after'], Date.now()),
    maySendElsewhere: status === 429,
    maySucceedElsewhere: status === 408 || status === 429 || status >= 500,
    isTooLong: (status === 400 || status === 413) && isAboutLength(theirCode, message),
    outcome: status >= 500 ? 'failure' : 'success',
  });
}

/** OpenAI has a code; others only say it. */
function isAboutLength(code: string | undefined, message = ''): boolean {
  if (code === 'context_length_exceeded') return true;
  return /context (length|window)|maximum context|prompt is too long|too many (input )?tokens/i.test(message);
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
