import { AppError } from '../common/errors/app-error.js';
import type { ErrorCode } from '../common/errors/error-catalog.js';
import { isBudget, type Metric } from '../common/rules/limit-rules.js';
import type { Admission, MeteredMetric } from './admission.js';
import {
  type ExceededLimit,
  type Limit,
  type LimitOwner,
  type LimitState,
  millisecondsUntilFits,
  remainingOf,
  usedOf,
} from './limit.js';
import type { Demand } from './reservation-queries.js';

/** What a request needs of a limit. */
interface Need {
  readonly of: (limit: Limit) => number;
  /** Whether the request may use less. */
  readonly isUpperBound: boolean;
}

/** Needs of a request that arrives: itself, and that something is left of what it will use. */
export function arrivalNeed(uses: MeteredMetric | undefined): Need {
  return { of: ({ metric }) => (metric === 'requests' || metric === uses ? 1 : 0), isUpperBound: false };
}

/** Needs of a request that was counted on arrival, and now asks for a reservation. */
export function usageNeed(demand: Demand): Need {
  const { estimate } = demand;
  return {
    of: (limit) => {
      if (limit.metric === 'requests') return 0;
      // Limits that refill may go into debt by an estimate.
      return estimate === undefined || isBudget(limit) ? demand[limit.metric] : Math.min(1, estimate[limit.metric]);
    },
    isUpperBound: estimate !== undefined,
  };
}

/** The 429 of a limit. */
export class LimitExceededError extends AppError {
  constructor(
    readonly limit: ExceededLimit,
    code: ErrorCode,
    detail: string,
    headers: Record<string, string>,
  ) {
    super(code, detail, { headers });
  }
}

/**
 * The 429 for a request that doesn't fit the limits of its key or its organization, even if running requests used nothing
 * of what they reserve. It is about the limit that takes longest to make room.
 *
 * @returns undefined if the request fits all limits
 */
export function limitExceeded(admission: Admission, need: Need, now = new Date()): LimitExceededError | undefined {
  const exceeded = admission.states
    .map((state) => ({ state, milliseconds: millisecondsUntilFits(state, need.of(state), now) }))
    .filter(({ milliseconds }) => milliseconds > 0)
    .sort((one, other) => other.milliseconds - one.milliseconds);
  const never = exceeded.find(({ state }) => need.of(state) > state.max);
  if (never !== undefined) return neverFits(never.state, admission, need);
  const [longest] = exceeded;
  if (longest === undefined) return undefined;
  const { state, milliseconds } = longest;
  const what = `${problemOf(state, admission, need)} ${retryHint(state, milliseconds, now)}`;
  const limit = toExceededLimit(state, admission, need);
  return new LimitExceededError(limit, isBudget(state) ? 'budget-exceeded' : 'limit-exceeded', what, {
    'retry-after': String(Math.ceil(milliseconds / 1000)),
    'retry-after-ms': String(milliseconds),
    // OpenAI's clients would otherwise retry within seconds.
    ...(isBudget(state) && { 'x-should-retry': 'false' }),
  });
}

const retrySeconds = 1;

/**
 * The 429 for a request that doesn't fit only because of what running requests reserve, and has waited for them.
 *
 * @returns undefined if the request needs no budget
 */
export function limitReserved(admission: Admission, need: Need): LimitExceededError | undefined {
  const budgets = admission.states.filter((state) => isBudget(state) && need.of(state) > 0);
  // Otherwise, an earlier request waits.
  const state = budgets.find((budget) => need.of(budget) > remainingOf(budget)) ?? budgets[0];
  if (state === undefined) return undefined;
  const reserved = countOf(state.reserved, state.metric);
  const left = countOf(remainingOf(state), state.metric);
  const what = `${nameOf(state, admission)} has ${left} left while running requests reserve ${reserved}; ${amountOf(need, state)}. Retry in ${retrySeconds} s.`;
  return new LimitExceededError(toExceededLimit(state, admission, need), 'limit-reserved', what, {
    'retry-after': String(retrySeconds),
    'retry-after-ms': String(retrySeconds * 1000),
  });
}

function neverFits(state: LimitState, admission: Admission, need: Need): LimitExceededError {
  const amount = countOf(need.of(state), state.metric);
  const subject = need.isUpperBound ? `${amount} that the request may use` : `${amount} of the request`;
  return new LimitExceededError(
    toExceededLimit(state, admission, need),
    isBudget(state) ? 'larger-than-budget' : 'larger-than-limit',
    `${nameOf(state, admission)} is less than the ${subject}.`,
    { 'x-should-retry': 'false' },
  );
}

function problemOf(state: LimitState, admission: Admission, need: Need): string {
  const limit = nameOf(state, admission);
  const remaining = Math.max(0, state.max - usedOf({ ...state, reserved: 0 }));
  if (remaining === 0) return `${limit} is exhausted.`;
  return `${limit} has ${countOf(remaining, state.metric)} left; ${amountOf(need, state)}.`;
}

function amountOf(need: Need, state: LimitState): string {
  const amount = need.of(state).toLocaleString('en-US');
  return need.isUpperBound ? `the request may use up to ${amount}` : `the request has ${amount}`;
}

function retryHint(state: LimitState, milliseconds: number, now: Date): string {
  if (!isBudget(state)) return `Retry in ${Math.ceil(milliseconds / 1000)} s.`;
  return `It resets at ${new Date(now.getTime() + milliseconds).toISOString()}.`;
}

function toExceededLimit(state: LimitState, admission: Admission, need: Need): ExceededLimit {
  const { metric, per, max } = state;
  return { owner: ownerOf(state, admission), metric, per, max, needed: need.of(state) };
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
