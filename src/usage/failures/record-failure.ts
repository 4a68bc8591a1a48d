import type { FastifyRequest } from 'fastify';
import { normalizeAddress } from '../../common/http/client-address.js';
import { errorName } from '../../common/errors/error-utils.js';
import { toAppError } from '../../common/errors/to-app-error.js';
import { isVisible, maxModelIdLength } from '../../common/rules/text-rules.js';
import { LimitExceededError } from '../../limits/limit-exceeded.js';
import { type Failure, type FailedKey, maxInvalidFields } from './failure.js';
import type { FailureRecorderService } from './failure-recorder.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Key of a request that was rejected before it got a principal. */
    rejectedKey?: FailedKey;
    /** Model or service that the client named. Set before it is looked up. */
    requestedModel: string | undefined;
  }
}

/**
 * Records a request that an error has ended, if it belongs to a key.
 *
 * @param model id in the catalog, if it's known
 */
export function recordError(
  recorder: FailureRecorderService,
  request: FastifyRequest,
  error: unknown,
  model?: string,
): void {
  // The client has disconnected.
  if (errorName(error) === 'AbortError') return;
  const { status, code, fields } = toAppError(error);
  const invalidFields = fields.slice(0, maxInvalidFields).map(({ field }) => toShortText(field));
  const exceededLimit = error instanceof LimitExceededError ? error.limit : null;
  recordFailure(recorder, request, { status, code, invalidFields, exceededLimit }, model);
}

/**
 * Records a failed request, if it belongs to a key.
 *
 * @param model id in the catalog, if it's known
 */
export function recordFailure(
  recorder: FailureRecorderService,
  request: FastifyRequest,
  result: Pick<Failure, 'status' | 'code' | 'invalidFields' | 'exceededLimit'>,
  model = '',
): void {
  const { id, ip, method, principal, rejectedKey, requestedModel, routeOptions } = request;
  const key = principal === undefined ? rejectedKey : { apiKeyId: principal.id };
  if (key === undefined) return;
  recorder.record({
    key,
    occurredAt: new Date(),
    route: `${method} ${routeOptions.url ?? ''}`,
    model,
    requestedModel: requestedModel === undefined ? null : toShortText(requestedModel),
    ...result,
    requestId: id,
    address: normalizeAddress(ip),
  });
}

/** Keycard keys that were sent as something else, whole or in part: what they are found by, and the rest. */
const apiKeys = /(kc_[0-9A-Za-z]{5})[0-9A-Za-z]+/g;

/** Text with only the first characters of keys. */
const withoutApiKeys = (text: string) => text.replace(apiKeys, '$1…');

/** Text of any client for people: without keys, with replacements for what can't be seen or stored, and bounded. */
function toShortText(text: string): string {
  // Enough for the longest result, so that huge texts take no time.
  const start = withoutApiKeys(text.slice(0, 4 * maxModelIdLength));
  const characters = Array.from(start, (character) => (isVisible(character) ? character : '\ufffd'));
  if (characters.length <= maxModelIdLength) return characters.join('');
  return `${characters.slice(0, maxModelIdLength - 1).join('')}…`;
}
