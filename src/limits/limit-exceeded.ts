import { AppError } from '../common/errors/app-error.js';
import type { ErrorCode } from '../common/errors/error-catalog.js';
import { isBudget } from '../common/rules/limit-rules.js';
import { type Admission, countsRequests } from './admission.js';
import { type Demand, leastOf } from './amounts.js';
import { amountOf, nameOf, resetHint, retryHint, stateOf, toDecimalCost } from './describe-limit.js';
import {
  appliesTo,
  type ExceededLimit,
  type LimitOwner,
  type LimitState,
  millisecondsUntilFits,
  millisecondsUntilReset,
  remainingOf,
} from './limit.js';

/** What a request needs of a limit. */
interface Need {
  readonly of: (limit: LimitState) => number;
  /** Whether the request may use less. */
  readonly isUpperBound: boolean;
}

/** Needs of a request that arrives: itself, and that something is left of what it will use. */
export function arrivalNeed(uses: 'tokens' | 'pages' | undefined): Need {
  return {
    of: ({ metric, models }) => {
      if (models !== undefined) return 0;
      return countsRequests(metric) || metric === uses || (metric === 'cost' && uses !== undefined) ? 1 : 0;
    },
    isUpperBound: false,
  };
}

/** Needs of a request that was counted on arrival, and now asks for a reservation. */
export function usageNeed(demand: Demand): Need {
  const { estimate } = demand;
  const least = leastOf(demand);
  return {
    of: (limit) => {
      const { metric, models } = limit;
      if (!appliesTo(limit, demand.model)) return 0;
      if (countsRequests(metric)) return models === undefined ? 0 : 1;
      if (metric === 'cost' || isBudget(limit)) return least[metric];
      // Limits that refill may go into debt by an estimate.
      return estimate === undefined ? demand[metric] : Math.min(1, estimate[metric]);
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

/** Makes the 429s of a request. */
export class LimitErrors {
  constructor(
    private readonly admission: Admission,
    private readonly need: Need,
    /** ISO 4217. */
    private readonly currency: string,
    private readonly now = new Date(),
  ) {}

  /**
   * The 429 for a request that doesn't fit the limits of its key or its organization, even if running requests used
   * nothing of what they reserve. It is about the limit that takes longest to make room.
   *
   * @returns undefined if the request fits all limits
   */
  exceeded(): LimitExceededError | undefined {
    const { need, now } = this;
    const exceeded = this.needed
      .map((state) => ({ state, milliseconds: millisecondsUntilFits(state, need.of(state), now) }))
      .filter(({ milliseconds }) => milliseconds > 0)
      .sort((one, other) => other.milliseconds - one.milliseconds);
    const never = exceeded.find(({ state }) => need.of(state) > state.max);
    if (never !== undefined) return this.neverFits(never.state);
    const [longest] = exceeded;
    return longest && this.exceededBy(longest.state, longest.milliseconds);
  }

  /**
   * The 429 about the limit that leaves least: rounding of costs above 2^53 may hide which one the request exceeds.
   *
   * @returns undefined if the request needs nothing
   */
  nearest(): LimitExceededError | undefined {
    const { need, now } = this;
    const leftOf = (state: LimitState) => state.max - state.charged - need.of(state);
    const [state] = [...this.needed].sort((one, other) => leftOf(one) - leftOf(other));
    return state && this.exceededBy(state, Math.max(1, millisecondsUntilReset(state, now)));
  }

  /** The others may have been exceeded as well, but rejected nothing. */
  private get needed(): LimitState[] {
    return this.admission.states.filter((state) => this.need.of(state) > 0);
  }

  private exceededBy(state: LimitState, milliseconds: number): LimitExceededError {
    return new LimitExceededError(
      this.toExceededLimit(state),
      isBudget(state) ? 'budget-exceeded' : 'limit-exceeded',
      `${this.problemOf(state)} ${retryHint(state, milliseconds, this.now)}`,
      {
        'retry-after': String(Math.ceil(milliseconds / 1000)),
        'retry-after-ms': String(milliseconds),
        // OpenAI's clients would otherwise retry within seconds.
        ...(isBudget(state) && { 'x-should-retry': 'false' }),
      },
    );
  }

  /**
   * The 429 for a request that doesn't fit only because of what running requests reserve, and has waited for them.
   *
   * @returns undefined if the request needs no budget
   */
  reserved(): LimitExceededError | undefined {
    const { need, currency, now } = this;
    const budgets = this.needed.filter((state) => isBudget(state));
    // Otherwise, an earlier request waits.
    const state = budgets.find((budget) => need.of(budget) > remainingOf(budget)) ?? budgets[0];
    if (state === undefined) return undefined;
    const what = `${this.nameOf(state)} has ${stateOf(state, currency)} by running requests; ${this.amountOf(state)}.`;
    return new LimitExceededError(
      this.toExceededLimit(state),
      'limit-reserved',
      `${what} Retry in ${retrySeconds} s. ${resetHint(state, now)}`,
      { 'retry-after': String(retrySeconds), 'retry-after-ms': String(retrySeconds * 1000) },
    );
  }

  private neverFits(state: LimitState): LimitExceededError {
    const { need, currency, now } = this;
    const amount = amountOf(need.of(state), state.metric, currency);
    const subject = need.isUpperBound ? `${amount} that the request may use` : `${amount} of the request`;
    return new LimitExceededError(
      this.toExceededLimit(state),
      isBudget(state) ? 'larger-than-budget' : 'larger-than-limit',
      `${this.nameOf(state)} is less than the ${subject}. It has ${stateOf(state, currency)}. ${resetHint(state, now)}`,
      { 'x-should-retry': 'false' },
    );
  }

  private problemOf(state: LimitState): string {
    const { currency } = this;
    const now = stateOf(state, currency);
    if (state.metric === 'concurrency') return `${this.nameOf(state)} is reached: ${now}.`;
    const isExhausted = remainingOf({ ...state, reserved: 0 }) === 0;
    if (isExhausted) return `${this.nameOf(state)} is exhausted: ${now}.`;
    return `${this.nameOf(state)} has ${now}; ${this.amountOf(state)}.`;
  }

  private amountOf(state: LimitState): string {
    const { need, currency } = this;
    const amount = amountOf(need.of(state), state.metric, currency);
    return need.isUpperBound ? `the request may use up to ${amount}` : `the request has ${amount}`;
  }

  private nameOf(state: LimitState): string {
    return nameOf(state, this.ownerOf(state), this.currency);
  }

  private ownerOf({ ownerId }: LimitState): LimitOwner {
    return ownerId === this.admission.keyId ? 'api-key' : 'organization';
  }

  private toExceededLimit(state: LimitState): ExceededLimit {
    const { metric, per, models, max } = state;
    const show = (amount: number) => (metric === 'cost' ? toDecimalCost(amount) : amount);
    return {
      owner: this.ownerOf(state),
      metric,
      ...(per !== undefined && { per }),
      ...(models !== undefined && { models: [...models] }),
      max: show(max),
      needed: show(this.need.of(state)),
    };
  }
}

const retrySeconds = 1;
