import { unavailableStatuses } from './reachability.js';
import type { AnthropicError, FieldError, OpenAiError, Problem } from './schema.js';

/** Fields of all error formats: problem details (management routes), and OpenAI's and Anthropic's (AI routes). */
type ErrorDetails = Pick<Problem, 'detail' | 'errors'> &
  Pick<ServiceError, 'code' | 'requestId'> &
  Partial<Pick<ServiceError, 'retryAfterSeconds'>>;

/** What is known about a response that Keycard didn't write, such as a response of a proxy in front of it. */
type UnknownResponse = 'unreachable' | 'unexpected-response';

/** An error response, or a request without a response. */
export class ServiceError extends Error {
  /**
   * A code from docs/errors.md, or null for AI errors that have none. `unreachable` means there was no response, or one
   * of a proxy that didn't reach Keycard.
   */
  readonly code: Problem['code'] | OpenAiError['error']['code'] | UnknownResponse;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Validation errors by field. */
  readonly fields: FieldError[];
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** From the `Retry-After` header of AI routes. */
  readonly retryAfterSeconds: number | undefined;
  /** In milliseconds since 1970. */
  readonly receivedAt = Date.now();

  constructor(details: ErrorDetails | undefined, status: number) {
    const isUnreachable = status === 0 || unavailableStatuses.includes(status);
    const unknown = isUnreachable
      ? "Can't reach Keycard. Try again in a moment."
      : `Unexpected response: HTTP ${status}. A proxy in front of Keycard may have sent it.`;
    super(details?.detail ?? unknown);
    this.name = 'ServiceError';
    this.code = details === undefined ? (isUnreachable ? 'unreachable' : 'unexpected-response') : details.code;
    this.status = status;
    this.fields = details?.errors ?? [];
    this.requestId = details?.requestId;
    this.retryAfterSeconds = details?.retryAfterSeconds;
  }
}

interface FetchResult<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * Returns the body of a successful response.
 * @throws ServiceError if the request fails
 */
export async function unwrap<Data>(request: Promise<FetchResult<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((reason: unknown) => {
    throw reason instanceof ServiceError ? reason : new ServiceError(undefined, 0);
  });
  if (data === undefined) throw toServiceError(error, response);
  return data;
}

/** The error in the body of a response, in one of the formats of Keycard's routes. */
export function toServiceError(body: unknown, response: Response): ServiceError {
  return new ServiceError(readDetails(body, response), response.status);
}

/** Treats a 404 as success: someone else already deleted the resource. */
export async function ignoreNotFound(deletion: Promise<FetchResult<unknown>>): Promise<void> {
  await unwrap(deletion).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'not-found') throw error;
  });
}

function readDetails(error: unknown, { headers }: Response): ErrorDetails | undefined {
  if (isProblem(error)) return error;
  // Proxies may send a date instead.
  const retryAfter = headers.get('retry-after') ?? '';
  const common = {
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
  };
  if (isAnthropicError(error)) return { ...common, detail: error.error.message, code: null };
  if (!isOpenAiError(error)) return undefined;
  const { message, code, param } = error.error;
  return { ...common, detail: message, code, errors: param === null ? [] : [{ field: param, message }] };
}

function isProblem(value: unknown): value is Problem {
  return isObject(value) && typeof value['detail'] === 'string' && typeof value['code'] === 'string';
}

function isOpenAiError(value: unknown): value is OpenAiError {
  if (!isObject(value) || !isObject(value['error'])) return false;
  const { message, code, param } = value['error'];
  return typeof message === 'string' && isTextOrNull(code) && isTextOrNull(param);
}

function isAnthropicError(value: unknown): value is AnthropicError {
  return (
    isObject(value) &&
    value['type'] === 'error' &&
    isObject(value['error']) &&
    typeof value['error']['message'] === 'string'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
