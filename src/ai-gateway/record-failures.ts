import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientClosedRequest, type FailureCode, incompleteResponse } from '../usage/failures/failure.js';
import type { FailureRecorderService } from '../usage/failures/failure-recorder.service.js';
import { recordError, recordFailure } from '../usage/failures/record-failure.js';

/** Records the failed requests of a scope that belong to a key. Requests that succeed don't pass through here. */
export function recordFailures(scope: FastifyInstance, recorder: FailureRecorderService): void {
  scope.decorateRequest('requestedModel', undefined);
  scope.addHook('onError', (request, _reply, error, done) => {
    // If the client has disconnected: see `recordIncomplete`.
    recordError(recorder, request, error, request.usage?.model);
    done();
  });
}

/** Records a request whose response wasn't sent completely. */
export function recordIncomplete(
  recorder: FailureRecorderService,
  request: FastifyRequest,
  reply: FastifyReply,
  code: FailureCode = incompleteResponse,
): void {
  const status = reply.raw.headersSent ? reply.statusCode : clientClosedRequest;
  const result = { status, code, invalidFields: [], exceededLimit: null } as const;
  recordFailure(recorder, request, result, request.usage?.model);
}
