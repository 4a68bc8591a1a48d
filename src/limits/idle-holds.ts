import { isBudget } from '../common/rules/limit-rules.js';
import { type Admission, type Count, type Counted, countsRequests, type CountedLimit, holdOf } from './admission.js';
import type { Demand } from './amounts.js';
import type { DatabaseClock } from './database-clock.js';
import { lostGeneration } from './running-requests.js';

/** What is left of a budget must be this many times what it holds for requests to come, so that it's missing to nobody. */
const leastShare = 100;
/** Requests between two calls of `takeUnused` from which a budget is busy. For others, holding more than they need would only be puzzling. */
const leastRequests = 10;
/** Holds aren't used near the end of a period: the database's clock is only estimated. */
const marginMilliseconds = 5000;

/** What requests that have ended still hold of a limit. */
interface IdleHold {
  readonly limit: CountedLimit;
  /** When it was made: it belongs to the budget's period at this time. In milliseconds since 1970. */
  at: number;
  readonly generation: number;
  amount: number;
  /** The least that was idle since the last call of `takeUnused`. */
  leastAmount: number;
}

/**
 * What requests hold of budgets until the next ones take it over, which then needn't ask the database. To the database, and
 * so to all other replicas, the request that held it is still running.
 */
export class IdleHolds {
  private readonly holds = new Map<string, IdleHold>();
  /** Amounts that become idle once their requests are settled. */
  private readonly expected = new Map<string, number>();
  /** Requests that were settled since the last call of `takeUnused`, and in the time before it. */
  private requests = new Map<string, number>();
  private earlierRequests = new Map<string, number>();
  /** Of earlier generations, which no request takes over. */
  private readonly outdated: Counted[] = [];

  constructor(private readonly clock: DatabaseClock) {}

  get isEmpty(): boolean {
    return this.holds.size + this.outdated.length + this.requests.size + this.earlierRequests.size === 0;
  }

  /**
   * Takes over what a request needs, all of it or nothing.
   *
   * @returns what it holds then; undefined if that isn't all there, or another limit than a budget must decide
   */
  take(admission: Admission, demand: Demand): Counted | undefined {
    const now = this.clock.now();
    const { generation } = this.clock;
    const taken = admission.limitsOf(demand).map((limit) => {
      const amount = holdOf(limit, demand);
      const hold = this.holds.get(nameOf(limit));
      const fits = hold !== undefined && isHandedOn(limit) && hold.amount >= amount;
      return fits && hold.generation === generation && isSame(hold.limit, limit, now)
        ? { hold, limit, amount }
        : undefined;
    });
    if (!taken.every((one) => one !== undefined)) return undefined;
    for (const { hold, amount } of taken) {
      hold.amount -= amount;
      hold.leastAmount = Math.min(hold.leastAmount, hold.amount);
    }
    const at = Math.max(now, ...taken.map(({ hold }) => hold.at));
    return { at, counts: taken.map(({ limit, amount }) => ({ limit, held: amount, generation })) };
  }

  /** The part of what a request holds that stays for the next ones. Call `add` or `forget` once it's settled or not. */
  keep(admission: Admission, { at, counts }: Counted): Counted {
    const { generation } = this.clock;
    const isKept = (count: Count) => {
      const { limit, held } = count;
      if (held === 0 || count.generation < generation || count.generation === lostGeneration) return false;
      if (!isHandedOn(limit) || !this.isBusy(limit)) return false;
      const state = admission.states.find((one) => nameOf(one) === nameOf(limit));
      if (state === undefined) return false;
      const idle = (this.holds.get(nameOf(limit))?.amount ?? 0) + (this.expected.get(nameOf(limit)) ?? 0);
      return (idle + held) * leastShare <= state.max - state.charged - state.reserved;
    };
    const kept = counts.filter(isKept);
    for (const { limit, held } of kept) this.expect(limit, held);
    return { at, counts: kept };
  }

  /** Counts a request, and returns whether there have been many. */
  private isBusy(limit: CountedLimit): boolean {
    const name = nameOf(limit);
    const requests = (this.requests.get(name) ?? 0) + 1;
    this.requests.set(name, requests);
    return Math.max(requests, this.earlierRequests.get(name) ?? 0) >= leastRequests;
  }

  forget({ counts }: Counted): void {
    for (const { limit, held } of counts) this.expect(limit, -held);
  }

  private expect(limit: CountedLimit, amount: number): void {
    const expected = (this.expected.get(nameOf(limit)) ?? 0) + amount;
    if (expected === 0) this.expected.delete(nameOf(limit));
    else this.expected.set(nameOf(limit), expected);
  }

  /** Adds what a settled request held. */
  add(counted: Counted): void {
    this.forget(counted);
    const { at, counts } = counted;
    for (const { limit, held, generation } of counts) {
      const hold = this.holds.get(nameOf(limit));
      if (hold?.generation === generation && isSame(hold.limit, limit, at)) {
        hold.amount += held;
        hold.at = Math.max(hold.at, at);
        continue;
      }
      if (hold !== undefined) this.outdated.push(toCounted(hold, hold.amount));
      this.holds.set(nameOf(limit), { limit, at, generation, amount: held, leastAmount: 0 });
    }
  }

  /** Removes what no request has taken over since the last call, and what has become too old. */
  takeUnused(): Counted[] {
    const { generation } = this.clock;
    const unused = this.outdated.splice(0);
    this.earlierRequests = this.requests;
    this.requests = new Map();
    for (const [name, hold] of this.holds) {
      const released = hold.generation < generation ? hold.amount : hold.leastAmount;
      if (released > 0) unused.push(toCounted(hold, released));
      hold.amount -= released;
      hold.leastAmount = hold.amount;
      if (hold.amount === 0) this.holds.delete(name);
    }
    return unused;
  }

  /** Removes everything. */
  takeAll(): Counted[] {
    const all = [...this.holds.values()].map((hold) => toCounted(hold, hold.amount));
    this.holds.clear();
    return [...this.outdated.splice(0), ...all];
  }
}

/** Only budgets hold what requests can use. */
function isHandedOn(limit: CountedLimit): boolean {
  return !countsRequests(limit.metric) && isBudget(limit);
}

/** Whether a limit is what it was when something of it was held, and its period goes on. */
function isSame(held: CountedLimit, limit: CountedLimit, now: number): boolean {
  return held.max === limit.max && held.resetsAt === limit.resetsAt && now < (limit.resetsAt ?? 0) - marginMilliseconds;
}

function nameOf({ ownerId, counterMetric, per }: CountedLimit): string {
  return `${ownerId} ${counterMetric} ${per}`;
}

function toCounted({ at, limit, generation }: IdleHold, held: number): Counted {
  return { at, counts: [{ limit, held, generation }] };
}
