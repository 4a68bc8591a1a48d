import { isBudget, type Metric } from '../common/rules/limit-rules.js';
import { toDecimalCost } from './describe-limit.js';
import { appliesTo, type LimitState, millisecondsUntilReset, periodSeconds, remainingOf } from './limit.js';

export const costHeader = 'x-keycard-cost';
export const budgetHeader = 'x-keycard-budget-remaining';

/** Readable by pages of other origins. */
export const rateLimitHeaderNames = [
  'ratelimit',
  'ratelimit-policy',
  'retry-after-ms',
  ...['limit', 'remaining', 'reset'].flatMap((what) => [`x-ratelimit-${what}-requests`, `x-ratelimit-${what}-tokens`]),
  costHeader,
  budgetHeader,
];

/** What the headers of a response are about. */
interface LimitedResponse {
  readonly keyId: string;
  /** All limits of the key and its organization. */
  readonly states: readonly LimitState[];
  /** Undefined until it's known. */
  readonly model?: string;
  /** In billionths; 0 until it's known. */
  readonly cost?: number;
}

/**
 * The limits of a request: in OpenAI's headers the tightest one of each metric, in `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-10) all that count amounts of a period, and in Keycard's own what it has cost, and
 * what is left of the tightest budget in money.
 */
export function rateLimitHeaders(response: LimitedResponse, now = new Date()): Record<string, string> {
  const headers: Record<string, string> = {};
  const states = response.states.filter((state) => isAbout(state, response));
  if (states.length === 0) return headers;
  const tightest: Partial<Record<Metric, LimitState>> = {};
  let policies = '';
  let limits = '';
  for (const [position, state] of states.entries()) {
    const { metric, max } = state;
    const remaining = remainingOf(state);
    const other = tightest[metric];
    if (other === undefined || remaining < remainingOf(other)) tightest[metric] = state;
    // Their quotas are whole numbers per period.
    if (metric === 'cost' || metric === 'concurrency') continue;
    const separator = policies === '' ? '' : ', ';
    const name = policyName(state, response.keyId, position);
    const resetSeconds = Math.ceil(millisecondsUntilReset(state, now) / 1000);
    policies += `${separator}"${name}";q=${max};w=${periodSeconds(state)}`;
    limits += `${separator}"${name}";r=${remaining};t=${resetSeconds}`;
  }
  for (const metric of ['requests', 'tokens'] as const) {
    const state = tightest[metric];
    if (state === undefined) continue;
    headers[`x-ratelimit-limit-${metric}`] = String(state.max);
    headers[`x-ratelimit-remaining-${metric}`] = String(remainingOf(state));
    headers[`x-ratelimit-reset-${metric}`] = toDuration(millisecondsUntilReset(state, now));
  }
  if (policies !== '') Object.assign(headers, { 'ratelimit-policy': policies, ratelimit: limits });
  if (tightest.cost !== undefined) {
    headers[costHeader] = toDecimalCost(response.cost ?? 0);
    headers[budgetHeader] = toDecimalCost(remainingOf(tightest.cost));
  }
  return headers;
}

/** Until the model is known, limits of some models only count for money, because nothing else may be limited in it. */
function isAbout(state: LimitState, { model, states }: LimitedResponse): boolean {
  if (model !== undefined) return appliesTo(state, model);
  if (state.models === undefined) return true;
  return state.metric === 'cost' && isBudget(state) && !states.some(isCostOfAllModels);
}

const isCostOfAllModels = ({ metric, models }: LimitState) => metric === 'cost' && models === undefined;

/** Such as `key-requests-minute`, and `key-requests-minute-3` for the third limit, if it's of some models. */
function policyName({ ownerId, metric, per, models }: LimitState, keyId: string, position: number): string {
  const name = `${ownerId === keyId ? 'key' : 'organization'}-${metric}-${per}`;
  return models === undefined ? name : `${name}-${position + 1}`;
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
