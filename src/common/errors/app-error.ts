import { type ErrorCode, errorCatalog } from './error-catalog.js';

/** Longer names are cut in errors. JSON and forms allow names of any length. */
export const maxFieldNameLength = 100;

/** A problem with one field of the request. */
export interface FieldError {
  /** Path of the field, such as `name` or `input.3`. */
  field: string;
  /** What is allowed, as a sentence. */
  message: string;
}

/** An error as an upstream reported it, where clients should get that instead of what the catalog has. */
export interface ReportedError {
  /** HTTP status code. */
  readonly status: number;
  /** OpenAI's or Anthropic's `type`. */
  readonly type?: string | undefined;
  /** OpenAI's `code`. */
  readonly code?: string | undefined;
  /** The field at fault. Not among the fields of the error, because those are recorded, and this may be any text. */
  readonly param?: string | undefined;
}

interface AppErrorOptions {
  /** The invalid fields. The first is OpenAI's `param`. */
  fields?: FieldError[];
  /** Extra response headers, such as `Retry-After` or `WWW-Authenticate`. */
  headers?: Record<string, string>;
  /** The API key that an earlier request with the same `Idempotency-Key` created or rotated. */
  apiKeyId?: string;
  reported?: ReportedError;
  /** Only logged. */
  cause?: unknown;
}

/** An error of the catalog. `message` is public: the response contains it. */
export class AppError extends Error {
  override name = 'AppError';
  readonly fields: FieldError[];
  readonly headers: Record<string, string>;
  readonly apiKeyId: string | undefined;
  readonly reported: ReportedError | undefined;

  constructor(
    readonly code: ErrorCode,
    detail: string,
    options: AppErrorOptions = {},
  ) {
    super(detail, { cause: options.cause });
    this.fields = (options.fields ?? []).map(({ field, message }) => ({ field: nameOf(field), message }));
    this.headers = options.headers ?? {};
    this.apiKeyId = options.apiKeyId;
    this.reported = options.reported;
  }

  /** HTTP status code. */
  get status(): number {
    return this.reported?.status ?? errorCatalog[this.code].status;
  }
}

/** JSON allows empty names. */
function nameOf(field: string): string {
  return field === '' ? '(unnamed)' : field.slice(0, maxFieldNameLength);
}

/** A 400 about one field. */
export function invalidField(field: string, message: string): AppError {
  return invalidFields([{ field, message }]);
}

/** A 400 about several fields. */
export function invalidFields(fields: FieldError[]): AppError {
  return new AppError('validation-failed', fields.map(({ message }) => message).join(' '), { fields });
}

/**
 * A 404 for an id. The same for unknown, malformed and foreign ids.
 *
 * @param resource such as `API key`
 */
export function notFound(resource: string): AppError {
  return new AppError('not-found', `${resource.charAt(0).toUpperCase()}${resource.slice(1)} not found.`);
}

/**
 * A 404 for a method and path without a route.
 *
 * @param similar route that the client probably means, such as `POST /v1/embeddings`
 */
export function routeNotFound(similar?: string): AppError {
  const advice = similar === undefined ? '' : ` Check the base URL of the client: ${similar} exists.`;
  return new AppError('route-not-found', `No route matches this method and path.${advice}`);
}

/** A 403 for a route that only users can call. */
export function notForServiceAccounts(): AppError {
  return new AppError('service-account-not-allowed', 'Only users can call this route, not service accounts.');
}

/** A 503 with `Retry-After`. */
export function unavailable(
  code:
    | 'database-unavailable'
    | 'overloaded'
    | 'organization-moving'
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

/** A 401 with its challenge (RFC 6750 §3), which has `error="invalid_token"` if the request had a token. */
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

/** A 401 for a request that was authenticated just before its organization was deleted. */
export function organizationDeleted(): AppError {
  return unauthenticated('invalid-credential', 'This organization was deleted.');
}

/** 401 for a request whose sender was removed from the organization while it waited. */
export function senderRemoved(kind: string): AppError {
  const isProgram = kind === 'service-account';
  const detail = isProgram ? 'The service account was deleted.' : 'You are no longer a member of this organization.';
  return unauthenticated('invalid-credential', detail);
}
