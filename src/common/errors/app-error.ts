import { type ErrorCode, errorCatalogue } from './error-catalogue.js';

const longestFieldName = 100;

/** What was wrong with one field of the request. */
export interface FieldError {
  /** Path of the field, such as `name` or `input.3`. */
  field: string;
  /** What is allowed, in words. */
  message: string;
}

interface AppErrorOptions {
  /** The fields at fault; the first is OpenAI's `param`. */
  fields?: FieldError[];
  /** Extra response headers, such as `Retry-After` or `WWW-Authenticate`. */
  headers?: Record<string, string>;
  /** For the log only. */
  cause?: unknown;
}

/** An error of the catalogue. `message` is the public detail: it is sent to the caller. */
export class AppError extends Error {
  override name = 'AppError';
  readonly fields: FieldError[];
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    detail: string,
    options: AppErrorOptions = {},
  ) {
    super(detail, { cause: options.cause });
    this.fields = (options.fields ?? []).map(({ field, message }) => ({ field: nameOf(field), message }));
    this.headers = options.headers ?? {};
  }

  /** HTTP status code. */
  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

/** JSON allows empty and endless names. */
function nameOf(field: string): string {
  return field === '' ? '(unnamed)' : field.slice(0, longestFieldName);
}

/** A 400 about one field. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('validation-failed', message, { fields: [{ field, message }] });
}

/** A 404 for a method and path without a route. */
export function routeNotFound(): AppError {
  return new AppError('route-not-found', 'No route matches this method and path.');
}

/** A 503 that tells the client when to come back. */
export function unavailable(
  code:
    | 'database-unavailable'
    | 'overloaded'
    | 'engine-unavailable'
    | 'upstream-unavailable'
    | 'identity-provider-unavailable'
    | 'not-ready',
  detail: string,
  retryAfterSeconds: number,
  cause?: unknown,
): AppError {
  return new AppError(code, detail, { headers: { 'retry-after': String(retryAfterSeconds) }, cause });
}

/**
 * A 401 with its challenge (RFC 6750 §3): `error="invalid_token"` is added when a token was sent.
 */
export function unauthenticated(
  code: 'missing-credential' | 'wrong-credential' | 'invalid-credential' | 'sign-in-failed',
  detail: string,
  cause?: unknown,
): AppError {
  const challenge = 'Bearer realm="keycard"';
  const wasTokenSent = code === 'wrong-credential' || code === 'invalid-credential';
  return new AppError(code, detail, {
    headers: { 'www-authenticate': wasTokenSent ? `${challenge}, error="invalid_token"` : challenge },
    cause,
  });
}
