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
  if (states.length === 0) return {};
  const policies = states.map((state) => ({ name: policyName(state, keyId), state }));
  return {
    ...openAiHeaders('requests', states, now),
    ...openAiHeaders('tokens', states, now),
    'ratelimit-policy': policies
      .map(({ name, state }) => `"${name}";q=${state.max};w=${periodSeconds(state, now)}`)
      .join(', '),
    ratelimit: policies
      .map(({ name, state }) => {
        return `"${name}";r=${remainingOf(state)};t=${Math.ceil(millisecondsUntilReset(state, now) / 1000)}`;
      })
      .join(', '),
  };
}

function openAiHeaders(metric: Metric, states: readonly LimitState[], now: Date): Record<string, string> {
  const [tightest] = states
    .filter((state) => state.metric === metric)
    .sort((one, other) => remainingOf(one) - remainingOf(other));
  if (tightest === undefined) return {};
  return {
    [`x-ratelimit-limit-${metric}`]: String(tightest.max),
    [`x-ratelimit-remaining-${metric}`]: String(remainingOf(tightest)),
    [`x-ratelimit-reset-${metric}`]: toDuration(millisecondsUntilReset(tightest, now)),
  };
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
