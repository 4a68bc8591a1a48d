import type { FieldError, OpenAiError, Problem } from './schema.js';

/** What both shapes of errors have in common: problems of management routes, and the envelope of AI routes. */
type Explanation = Pick<Problem, 'detail' | 'errors'> &
  Pick<ServiceError, 'code' | 'requestId'> &
  Partial<Pick<ServiceError, 'retryAfterSeconds'>>;

/** Why a request has failed, in the service's own words. */
export class ServiceError extends Error {
  /** The code of docs/errors.md, null where an AI route has none; `unreachable` when there was no answer at all. */
  readonly code: Problem['code'] | OpenAiError['error']['code'] | 'unreachable';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** What is wrong with which field of the request. */
  readonly fields: FieldError[];
  /** Finds the request in the service's log. */
  readonly requestId: string | undefined;
  /** When to come back, where AI routes say it in a header; management routes say it in words. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Explanation | undefined, status: number) {
    super(problem?.detail ?? 'Keycard cannot be reached. Your work is kept; try again in a moment.');
    this.name = 'ServiceError';
    this.code = problem === undefined ? 'unreachable' : problem.code;
    this.status = status;
    this.fields = problem?.errors ?? [];
    this.requestId = problem?.requestId;
    this.retryAfterSeconds = problem?.retryAfterSeconds;
  }
}

interface Outcome<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * What a request of the client has answered.
 * @throws ServiceError when it has failed
 */
export async function unwrap<Data>(request: Promise<Outcome<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((reason: unknown) => {
    throw reason instanceof ServiceError ? reason : new ServiceError(undefined, 0);
  });
  if (data === undefined) throw new ServiceError(explain(error, response), response.status);
  return data;
}

/** Waits until something is deleted; that somebody else has done it meanwhile is what was wanted. */
export async function untilGone(deletion: Promise<Outcome<unknown>>): Promise<void> {
  await unwrap(deletion).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'not-found') throw error;
  });
}

function explain(error: unknown, { headers }: Response): Explanation | undefined {
  if (isProblem(error)) return error;
  if (!isOpenAiError(error)) return undefined;
  const { message, code, param } = error.error;
  const retryAfter = headers.get('retry-after');
  return {
    detail: message,
    code,
    errors: param === null ? [] : [{ field: param, message }],
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
  };
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'detail' in value && 'code' in value;
}

function isOpenAiError(value: unknown): value is OpenAiError {
  return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'object';
}
