import type { Metric } from '../common/rules/limit-rules.js';
import type { Admission } from './admission.js';
import { type LimitState, millisecondsUntilReset, periodSeconds, remainingOf } from './limit.js';

/** Readable by pages of other origins. */
export const rateLimitHeaderNames = [
  'ratelimit',
  'ratelimit-policy',
  'retry-after-ms',
  ...['limit', 'remaining', 'reset'].flatMap((what) => [`x-ratelimit-${what}-requests`, `x-ratelimit-${what}-tokens`]),
];

/**
 * The limits of a request: in OpenAI's headers the tightest one of each metric, in `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-10) all of them.
 */
export function rateLimitHeaders(
  { keyId, states }: Pick<Admission, 'keyId' | 'states'>,
  now = new Date(),
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (states.length === 0) return headers;
  const tightest: Partial<Record<Metric, LimitState>> = {};
  let policies = '';
  let limits = '';
  for (const state of states) {
    const { metric, max } = state;
    const separator = policies === '' ? '' : ', ';
    const name = policyName(state, keyId);
    const remaining = remainingOf(state);
    const resetSeconds = Math.ceil(millisecondsUntilReset(state, now) / 1000);
    policies += `${separator}"${name}";q=${max};w=${periodSeconds(state, now)}`;
    limits += `${separator}"${name}";r=${remaining};t=${resetSeconds}`;
    const other = tightest[metric];
    if (other === undefined || remaining < remainingOf(other)) tightest[metric] = state;
  }
  for (const metric of ['requests', 'tokens'] as const) {
    const state = tightest[metric];
    if (state === undefined) continue;
    headers[`x-ratelimit-limit-${metric}`] = String(state.max);
    headers[`x-ratelimit-remaining-${metric}`] = String(remainingOf(state));
    headers[`x-ratelimit-reset-${metric}`] = toDuration(millisecondsUntilReset(state, now));
  }
  headers['ratelimit-policy'] = policies;
  headers.ratelimit = limits;
  return headers;
}

/** Such as `key-requests-minute`. */
function policyName({ ownerId, metric, per }: LimitState, keyId: string): string {
  return `${ownerId === keyId ? 'key' : 'organization'}-${metric}-${per}`;
}

/** A duration as OpenAI writes it, which is how Go does: `12ms`, `1.5s`, `6m0s`, `24h0m0s`. */
export function toDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.ceil(milliseconds)}ms`;
  const seconds = Math.ceil(milliseconds) / 1000;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${Number((seconds % 60).toFixed(3))}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}
