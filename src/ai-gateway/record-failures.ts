import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { normalizeAddress } from '../api-keys/address-range.js';
import { errorName } from '../common/errors/error-utils.js';
import { toAppError } from '../common/errors/to-app-error.js';
import { clientClosedRequest, type Failure, type FailedKey, incompleteResponse } from '../usage/failures/failure.js';
import type { FailureRecorderService } from '../usage/failures/failure-recorder.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Key of a request that was rejected before it got a principal. */
    rejectedKey?: FailedKey;
  }
}

/** Records the failed requests of a scope that belong to a key. Requests that succeed don't pass through here. */
export function recordFailures(scope: FastifyInstance, recorder: FailureRecorderService): void {
  scope.addHook('onError', (request, _reply, error, done) => {
    // The client has disconnected: see `recordIncomplete`.
    if (errorName(error) !== 'AbortError') {
      const { status, code } = toAppError(error);
      record(recorder, request, { status, code });
    }
    done();
  });
}

/** Records a request whose response wasn't sent completely. */
export function recordIncomplete(recorder: FailureRecorderService, request: FastifyRequest, reply: FastifyReply): void {
  const status = reply.raw.headersSent ? reply.statusCode : clientClosedRequest;
  record(recorder, request, { status, code: incompleteResponse });
}

function record(
  recorder: FailureRecorderService,
  request: FastifyRequest,
  result: Pick<Failure, 'status' | 'code'>,
): void {
  const { id, ip, method, principal, rejectedKey, routeOptions, usage } = request;
  const key = principal === undefined ? rejectedKey : { apiKeyId: principal.id };
  if (key === undefined) return;
  recorder.record({
    key,
    occurredAt: new Date(),
    route: `${method} ${routeOptions.url ?? ''}`,
    model: usage?.model ?? '',
    ...result,
    requestId: id,
    address: normalizeAddress(ip),
  });
}
