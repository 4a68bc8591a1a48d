import { HttpException } from '@nestjs/common';
import { DeadlineExceededError, QueueFullError } from '../continuous-batcher.js';
import { AppError, routeNotFound, unavailable } from './app-error.js';
import type { ErrorCode } from './error-catalog.js';
import { isDatabaseUnavailable } from './database-unavailable.js';
import { isOrganizationMoving, organizationMoving } from './organization-moving.js';

/** Detail of a 415 on any route. */
export const unsupportedMediaType =
  'Send the body with Content-Type: application/json. POST /v1/ocr also accepts multipart/form-data.';

const noRoute = { code: 'route-not-found', detail: routeNotFound().message } as const;

/** Errors of Fastify, its plugins and Nest, by status. */
const frameworkErrors: Record<number, { code: ErrorCode; detail: string }> = {
  400: { code: 'malformed-request', detail: "The request can't be read." },
  // From the static file server, for paths outside its folder. Our guards throw errors of the catalog.
  403: noRoute,
  404: noRoute,
  413: { code: 'payload-too-large', detail: 'The body is larger than this route allows.' },
  415: { code: 'unsupported-media-type', detail: unsupportedMediaType },
};

/** Converts any thrown value to an error of the catalog; unknown ones become `internal-error`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isOrganizationMoving(error)) return organizationMoving(error);
  if (isDatabaseUnavailable(error)) {
    return unavailable('database-unavailable', 'The database is unavailable. Try again shortly.', 1, error);
  }
  if (error instanceof HttpException) {
    const known = frameworkErrors[error.getStatus()];
    if (known) return new AppError(known.code, known.detail, { cause: error });
  }
  return new AppError('internal-error', 'Internal error. Report the request id: the log has the cause.', {
    cause: error,
  });
}

/**
 * Converts an error of a batched database query, so that clients retry.
 *
 * @param detail of the 503 if the database is unavailable or didn't respond in time
 */
export function toUnavailable(error: unknown, detail: string): unknown {
  if (error instanceof QueueFullError)
    return unavailable('overloaded', 'Too many requests are waiting. Try again shortly.', 1, error);
  if (error instanceof DeadlineExceededError || isDatabaseUnavailable(error)) {
    return unavailable('database-unavailable', detail, 1, error);
  }
  return error;
}
