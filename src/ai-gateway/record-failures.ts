import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { normalizeAddress } from '../common/http/client-address.js';
import { errorName } from '../common/errors/error-utils.js';
import { isVisible, maxModelIdLength } from '../common/rules/text-rules.js';
import { toAppError } from '../common/errors/to-app-error.js';
import { LimitExceededError } from '../limits/limit-exceeded.js';
import {
  clientClosedRequest,
  type Failure,
  type FailedKey,
  incompleteResponse,
  maxInvalidFields,
} from '../usage/failures/failure.js';
import type { FailureRecorderService } from '../usage/failures/failure-recorder.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Key of a request that was rejected before it got a principal. */
    rejectedKey?: FailedKey;
    /** Model or service that the client named. Set before it is looked up. */
    requestedModel: string | undefined;
  }
}

/** Records the failed requests of a scope that belong to a key. Requests that succeed don't pass through here. */
export function recordFailures(scope: FastifyInstance, recorder: FailureRecorderService): void {
  scope.decorateRequest('requestedModel', undefined);
  scope.addHook('onError', (request, _reply, error, done) => {
    // The client has disconnected: see `recordIncomplete`.
    if (errorName(error) !== 'AbortError') {
      const { status, code, fields } = toAppError(error);
      const invalidFields = fields.slice(0, maxInvalidFields).map(({ field }) => toShortText(field));
      const exceededLimit = error instanceof LimitExceededError ? error.limit : null;
      record(recorder, request, { status, code, invalidFields, exceededLimit });
    }
    done();
  });
}

/** Records a request whose response wasn't sent completely. */
export function recordIncomplete(recorder: FailureRecorderService, request: FastifyRequest, reply: FastifyReply): void {
  const status = reply.raw.headersSent ? reply.statusCode : clientClosedRequest;
  record(recorder, request, { status, code: incompleteResponse, invalidFields: [], exceededLimit: null });
}

function record(
  recorder: FailureRecorderService,
  request: FastifyRequest,
  result: Pick<Failure, 'status' | 'code' | 'invalidFields' | 'exceededLimit'>,
): void {
  const { id, ip, method, principal, rejectedKey, requestedModel, routeOptions, usage } = request;
  const key = principal === undefined ? rejectedKey : { apiKeyId: principal.id };
  if (key === undefined) return;
  recorder.record({
    key,
    occurredAt: new Date(),
    route: `${method} ${routeOptions.url ?? ''}`,
    model: usage?.model ?? '',
    requestedModel: requestedModel === undefined ? null : toShortText(requestedModel),
    ...result,
    requestId: id,
    address: normalizeAddress(ip),
  });
}

/** Keycard keys that were sent as something else, whole or in part: what they are found by, and the rest. */
const apiKeys = /(kc_[0-9A-Za-z]{5})[0-9A-Za-z]+/g;

/** Text of any client for people: without keys, with replacements for what can't be seen or stored, and bounded. */
function toShortText(text: string): string {
  // Enough for the longest result, so that huge texts take no time.
  const start = text.slice(0, 4 * maxModelIdLength).replace(apiKeys, '$1…');
  const characters = Array.from(start, (character) => (isVisible(character) ? character : '\ufffd'));
  if (characters.length <= maxModelIdLength) return characters.join('');
  return `${characters.slice(0, maxModelIdLength - 1).join('')}…`;
}
