import { HttpException } from '@nestjs/common';
import { AppError, unavailable } from './app-error.js';
import type { ErrorCode } from './error-catalogue.js';
import { errorCode, errorMessage } from './error-facts.js';

/** For the caller, whichever the route. */
export const unsupportedMediaType =
  'Send the body with Content-Type: application/json; POST /v1/ocr also takes multipart/form-data.';

/** Errors that Fastify and Nest raise by themselves, by status. */
const frameworkErrors: Record<number, { code: ErrorCode; detail: string }> = {
  400: { code: 'malformed-request', detail: 'The request cannot be read.' },
  404: { code: 'route-not-found', detail: 'There is no such route.' },
  413: { code: 'payload-too-large', detail: 'The body is larger than this route allows.' },
  415: { code: 'unsupported-media-type', detail: unsupportedMediaType },
};

/** How Node, PostgreSQL (SQLSTATE classes 08, 53 and 57P), pg and TypeORM say that the server is not there. */
const unreachable = /^(E(CONNREFUSED|CONNRESET|NOTFOUND|NOENT|PIPE|HOSTUNREACH|TIMEDOUT|AI_AGAIN)|08...|53...|57P..)$/;
const unreachableMessage =
  /connection terminated|timeout expired|connection timeout|query read timeout|cannot use a pool|not queryable|query runner already released/i;

/** Whether the error means that the database cannot be reached now, rather than that a query was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return unreachable.test(errorCode(error) ?? '') || unreachableMessage.test(errorMessage(error));
}

/** Whatever was thrown, as an error of the catalogue; what is not known becomes `internal-error`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) {
    return unavailable('database-unavailable', 'The database cannot be reached; try again shortly.', 1, error);
  }
  if (error instanceof HttpException) {
    const known = frameworkErrors[error.getStatus()];
    if (known) return new AppError(known.code, known.detail, { cause: error });
  }
  return new AppError('internal-error', 'Something went wrong in Keycard; the log has it under the request id.', {
    cause: error,
  });
}
