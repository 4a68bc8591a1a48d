import type { Logger } from '@nestjs/common';
import { type Admission, type Count, type Counted, type CountedLimit, holdOf, isMeteredBudget } from './admission.js';
import type { Demand } from './amounts.js';
import { BusyNames } from './busy-names.js';
import type { DatabaseClock } from './database-clock.js';
import { lostGeneration } from './running-requests.js';

/** What is left of a budget must be this many times what it holds for requests to come, so that it's missing to nobody. */
const leastShare = 100;
/** Holds aren't used near the end of a period: the database's clock is only estimated. */
const marginMilliseconds = 5000;
/** What no request takes over is released within twice this time, so requests that wait longer don't miss it. */
const releaseMilliseconds = 800;

/** What requests that have ended still hold of a limit. */
interface IdleHold {
  readonly limit: CountedLimit;
  /** When it was made: it belongs to the budget's period at this time. In milliseconds since 1970. */
  at: number;
  readonly generation: number;
  amount: number;
  /** The least that was idle since holds were released. */
  leastAmount: number;
}

/**
 * What requests hold of busy budgets until the next ones take it over, which then needn't ask the database. To the database, and
 * so to all other replicas, the request that held it is still running.
 */
export class IdleHolds {
  private readonly holds = new Map<string, IdleHold>();
  /** Amounts that become idle once their requests are settled. */
  private readonly expected = new Map<string, number>();
  private readonly busy = new BusyNames();
  /** Of earlier generations, which no request takes over. */
  private readonly outdated: Counted[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  /** @param release gives back what is held */
  constructor(
    private readonly clock: DatabaseClock,
    private readonly release: (held: readonly Counted[]) => Promise<void>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Takes over what a request needs, all of it or nothing.
   *
   * @returns what it holds then; undefined if that isn't all there, or another limit than a budget must decide
   */
  take(admission: Admission, demand: Demand): Counted | undefined {
    const now = this.clock.now();
    const { generation } = this.clock;
    const taken = admission.limitsOf(demand).map((limit) => {
      const hold = isMeteredBudget(limit) ? this.holds.get(limit.counter) : undefined;
      const amount = holdOf(limit, demand);
      if (hold === undefined || hold.amount < amount || hold.generation !== generation) return undefined;
      return isSame(hold.limit, limit, now) ? { hold, limit, amount } : undefined;
    });
    if (!taken.every((one) => one !== undefined)) return undefined;
    for (const { hold, amount } of taken) {
      hold.amount -= amount;
      hold.leastAmount = Math.min(hold.leastAmount, hold.amount);
    }
    const at = Math.max(now, ...taken.map(({ hold }) => hold.at));
    return { at, counts: taken.map(({ limit, amount }) => ({ limit, held: amount, generation })) };
  }

  /** The part of what a request holds that stays for the next ones. Call `add` once it's settled, or `forget`. */
  keep(admission: Admission, { at, counts }: Counted): Counted {
    const kept = this.isStopping ? [] : counts.filter((count) => this.isKept(admission, count));
    for (const { limit, held } of kept) this.expect(limit, held);
    return { at, counts: kept };
  }

  /** Adds what a settled request held. */
  add(counted: Counted): void {
    this.forget(counted);
    const { at, counts } = counted;
    for (const { limit, held, generation } of counts) {
      const hold = this.holds.get(limit.counter);
      if (hold?.generation === generation && isSame(hold.limit, limit, at)) {
        hold.amount += held;
        hold.at = Math.max(hold.at, at);
        continue;
      }
      if (hold !== undefined) this.outdated.push(toCounted(hold, hold.amount));
      this.holds.set(limit.counter, { limit, at, generation, amount: held, leastAmount: 0 });
    }
    if (this.isStopping) void this.releaseAll();
    else if (counts.length > 0)
      this.timer ??= setInterval(() => void this.releaseUnused(), releaseMilliseconds).unref();
  }

  /** What a request that couldn't be settled held expires. */
  forget({ counts }: Counted): void {
    for (const { limit, held } of counts) this.expect(limit, -held);
  }

  /** Releases what no request has taken over since the last call, and what has become too old. */
  async releaseUnused(): Promise<void> {
    const { generation } = this.clock;
    const unused = this.outdated.splice(0);
    for (const [name, hold] of this.holds) {
      const released = hold.generation < generation ? hold.amount : hold.leastAmount;
      if (released > 0) unused.push(toCounted(hold, released));
      hold.amount -= released;
      hold.leastAmount = hold.amount;
      if (hold.amount === 0) this.holds.delete(name);
    }
    if (this.holds.size === 0) this.stopTimer();
    await this.giveBack(unused);
  }

  /** From now on, nothing stays. */
  stop(): void {
    this.isStopping = true;
    this.stopTimer();
  }

  async releaseAll(): Promise<void> {
    const all = [...this.holds.values()].map((hold) => toCounted(hold, hold.amount));
    this.holds.clear();
    await this.giveBack([...this.outdated.splice(0), ...all]);
  }

  private isKept(admission: Admission, { limit, held, generation }: Count): boolean {
    if (!isMeteredBudget(limit) || held === 0) return false;
    const { counter } = limit;
    this.busy.count(counter);
    if (!this.busy.has(counter) || generation < this.clock.generation || generation === lostGeneration) return false;
    const state = admission.states.find((one) => one.counter === counter);
    if (state === undefined) return false;
    const idle = (this.holds.get(counter)?.amount ?? 0) + (this.expected.get(counter) ?? 0);
    return (idle + held) * leastShare <= state.max - state.charged - state.reserved;
  }

  private expect({ counter }: CountedLimit, amount: number): void {
    const expected = (this.expected.get(counter) ?? 0) + amount;
    if (expected === 0) this.expected.delete(counter);
    else this.expected.set(counter, expected);
  }

  /** What can't be given back expires. */
  private async giveBack(held: readonly Counted[]): Promise<void> {
    if (held.length === 0) return;
    try {
      await this.release(held);
    } catch (error) {
      this.logger.warn('What ended requests held could not be released.', { err: error });
    }
  }

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** Whether a limit is what it was when something of it was held, and its period goes on. */
function isSame(held: CountedLimit, limit: CountedLimit, now: number): boolean {
  return held.max === limit.max && held.resetsAt === limit.resetsAt && now < (limit.resetsAt ?? 0) - marginMilliseconds;
}

function toCounted({ at, limit, generation }: IdleHold, held: number): Counted {
  return { at, counts: [{ limit, held, generation }] };
}
