import type { FieldError, Problem } from './schema.js';

/** Why a request has failed, in the service's own words. */
export class ServiceError extends Error {
  /** The code of docs/errors.md; `unreachable` when there was no answer at all. */
  readonly code: Problem['code'] | 'unreachable';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** What is wrong with which field of the request. */
  readonly fields: FieldError[];
  /** Finds the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(problem: Problem | undefined, status: number) {
    super(problem?.detail ?? 'Keycard cannot be reached. Your work is kept; try again in a moment.');
    this.name = 'ServiceError';
    this.code = problem?.code ?? 'unreachable';
    this.status = status;
    this.fields = problem?.errors ?? [];
    this.requestId = problem?.requestId;
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
  if (data === undefined) throw new ServiceError(isProblem(error) ? error : undefined, response.status);
  return data;
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'detail' in value && 'code' in value;
}
