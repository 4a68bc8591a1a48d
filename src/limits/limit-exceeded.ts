import { AppError } from '../common/errors/app-error.js';
import type { ErrorCode } from '../common/errors/error-catalogue.js';
import { isBudget, type Metric } from '../common/rules/limit-rules.js';
import type { Admission } from './admission.js';
import { type ExceededLimit, type LimitOwner, type LimitState, millisecondsUntilFits, remainingOf } from './limit.js';

/** What a rejected request needs of each metric. */
export type Needs = Readonly<Record<Metric, number>>;

/** The 429 of a limit. */
export class LimitExceededError extends AppError {
  constructor(
    readonly limit: ExceededLimit,
    detail: string,
    headers: Record<string, string>,
  ) {
    super(codeOf(limit), detail, { headers });
  }
}

/**
 * The 429 for a request that doesn't fit the limits of its key or its organization. It is about the limit that takes
 * longest to make room.
 *
 * @returns undefined if the request fits all limits
 */
export function limitExceeded(admission: Admission, needs: Needs, now = new Date()): LimitExceededError | undefined {
  const exceeded = admission.states
    .map((state) => ({ state, milliseconds: millisecondsUntilFits(state, needs[state.metric], now) }))
    .filter(({ milliseconds }) => milliseconds > 0)
    .sort((one, other) => other.milliseconds - one.milliseconds);
  const never = exceeded.find(({ state }) => needs[state.metric] > state.max);
  if (never !== undefined) return neverFits(never.state, admission, needs);
  const [longest] = exceeded;
  if (longest === undefined) return undefined;
  const { state, milliseconds } = longest;
  const what = `${problemOf(state, admission, needs[state.metric])} ${retryHint(state, milliseconds, now)}`;
  return new LimitExceededError(toExceededLimit(state, admission, needs), what, {
    'retry-after': String(Math.ceil(milliseconds / 1000)),
    'retry-after-ms': String(milliseconds),
    // OpenAI's clients would otherwise retry within seconds.
    ...(isBudget(state) && { 'x-should-retry': 'false' }),
  });
}

function codeOf(limit: ExceededLimit): ErrorCode {
  const neverFits = limit.needed > limit.max;
  if (isBudget(limit)) return neverFits ? 'larger-than-budget' : 'budget-exceeded';
  return neverFits ? 'larger-than-limit' : 'limit-exceeded';
}

function neverFits(state: LimitState, admission: Admission, needs: Needs): LimitExceededError {
  const amount = countOf(needs[state.metric], state.metric);
  return new LimitExceededError(
    toExceededLimit(state, admission, needs),
    `${nameOf(state, admission)} is less than the ${amount} of the request.`,
    { 'x-should-retry': 'false' },
  );
}

function problemOf(state: LimitState, admission: Admission, needed: number): string {
  const limit = nameOf(state, admission);
  const remaining = remainingOf(state);
  if (remaining === 0) return `${limit} is exhausted.`;
  return `${limit} has ${countOf(remaining, state.metric)} left; the request has ${needed.toLocaleString('en-US')}.`;
}

function retryHint(state: LimitState, milliseconds: number, now: Date): string {
  if (!isBudget(state)) return `Retry in ${Math.ceil(milliseconds / 1000)} s.`;
  return `It resets at ${new Date(now.getTime() + milliseconds).toISOString()}.`;
}

function toExceededLimit(state: LimitState, admission: Admission, needs: Needs): ExceededLimit {
  const { metric, per, max } = state;
  return { owner: ownerOf(state, admission), metric, per, max, needed: needs[metric] };
}

const ownerOf = (state: LimitState, { keyId }: Admission): LimitOwner =>
  state.ownerId === keyId ? 'api-key' : 'organization';

/** Such as "This key's limit of 60 requests per minute". */
function nameOf(state: LimitState, admission: Admission): string {
  const { metric, per, max } = state;
  const owner = ownerOf(state, admission) === 'api-key' ? 'key' : 'organization';
  return `This ${owner}'s limit of ${countOf(max, metric)} per ${per}`;
}

function countOf(count: number, metric: Metric): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? metric.slice(0, -1) : metric}`;
}
