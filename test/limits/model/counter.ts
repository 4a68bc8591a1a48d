import { isBudget } from '../../../src/common/rules/limit-rules.js';
import type { ModelLimit } from './admission-model.js';
import { periodStart } from './period-start.js';

const bucketMilliseconds = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;
const generationMilliseconds = 15_000;

/** What a request has counted in a limit. */
export interface Count {
  readonly counter: Counter;
  readonly amount: number;
  readonly at: number;
  /** Of a hold, when it was made or renewed last; undefined if the amount was charged. */
  generation: number | undefined;
}

/** A limit at one time. */
export interface LimitNow {
  readonly limit: ModelLimit;
  readonly counter: Counter;
  /** With an increase. */
  readonly max: number;
  readonly charged: number;
  readonly reserved: number;
  /** What isn't charged. */
  readonly left: number;
  /** What isn't reserved either. */
  readonly free: number;
}

/**
 * What is used of a limit: charges and holds of a budget, holds of running requests, or the level of a bucket that leaks.
 * A bucket leaks at the rate of its current maximum since its last change.
 */
export class Counter {
  changedAt = -Infinity;
  /** Whether its maximum may be exceeded, because it was lowered, or more was used than had been reserved. */
  mayExceed = false;
  /** When it was used last. */
  lastMax = 0;
  private charged = 0;
  /** The part of the charge that nothing reported. */
  private estimated = 0;
  private holds: Count[] = [];
  private startedAt = -Infinity;

  constructor(public limit: ModelLimit) {}

  get isBudget(): boolean {
    return isBudget(this.limit);
  }

  /** -Infinity without periods. */
  periodStart(timeZone: string, now: number): number {
    return isBudget(this.limit) ? periodStart(now, this.limit.per, timeZone) : -Infinity;
  }

  /** A budget forgets everything when its period ends. */
  advance(timeZone: string, now: number): void {
    this.startedAt = this.periodStart(timeZone, now);
    if (this.changedAt >= this.startedAt) return;
    this.charged = this.estimated = 0;
    this.holds = [];
    this.mayExceed = false;
  }

  /** A hold that isn't renewed is charged after up to 30 seconds, because its request may have used it. */
  chargedAt(max: number, now: number): number {
    if (this.isBudget) return this.charged + this.expiredAt(now);
    return this.limit.per === undefined ? 0 : Math.max(0, this.charged - this.leaked(now - this.changedAt, max));
  }

  estimatedAt(now: number): number {
    return this.estimated + this.expiredAt(now);
  }

  /** Slots that aren't renewed vanish, because nothing uses them any more. */
  reservedAt(now: number): number {
    return sumOf(this.holds.filter((hold) => !isExpired(hold, now)));
  }

  hold(amount: number, now: number): Count {
    const hold = { counter: this, amount, at: now, generation: generationOf(now) };
    this.holds.push(hold);
    this.changedAt = now;
    return hold;
  }

  /** @returns whether it had expired */
  renew(hold: Count, now: number): boolean {
    if (!this.holds.includes(hold)) return false;
    const hadExpired = isExpired(hold, now);
    // Others may have got its slot.
    if (hadExpired && this.limit.per === undefined) this.mayExceed = true;
    hold.generation = generationOf(now);
    this.changedAt = now;
    return hadExpired;
  }

  /** What has become of a hold, apart from being renewed. */
  fateOf(hold: Count, now: number): 'expired' | 'outlived its period' | undefined {
    if (hold.generation === undefined || hold.amount === 0) return undefined;
    if (hold.at < this.startedAt) return 'outlived its period';
    return isExpired(hold, now) ? 'expired' : undefined;
  }

  release(hold: Count): void {
    this.holds = this.holds.filter((one) => one !== hold);
  }

  /** @param used undefined if it isn't known. Of an earlier period, nothing is charged. */
  settle(hold: Count, used: number | undefined, now: number): void {
    if (!this.holds.includes(hold)) return;
    this.release(hold);
    this.charge(used ?? hold.amount, used === undefined, now);
    if (used !== undefined && used > hold.amount) this.mayExceed = true;
  }

  /** Charges a budget. */
  charge(amount: number, isEstimated: boolean, now: number): Count {
    this.charged += amount;
    if (isEstimated) this.estimated += amount;
    this.changedAt = now;
    return { counter: this, amount, at: now, generation: undefined };
  }

  /** Gives back a request that was charged to a budget. */
  refund({ amount, at }: Count, now: number): void {
    if (at < this.startedAt) return;
    this.charged -= amount;
    this.changedAt = now;
  }

  /** Fills a bucket. */
  fill(amount: number, max: number, now: number): Count {
    this.charged = Math.max(0, this.chargedAt(max, now) + amount);
    this.changedAt = now;
    return { counter: this, amount, at: now, generation: undefined };
  }

  /** How a bucket must change if an amount was used instead of what was charged. What has leaked away can't be given back. */
  correctionOf({ amount, at }: Count, used: number, max: number, now: number): number {
    if (used >= amount) return used - amount;
    return -Math.max(0, Math.min(amount - used, amount - this.leaked(now - at, max)));
  }

  /** The limit has been added again: a bucket starts unused, the others keep what they have. */
  reopen(now: number): void {
    if (!this.isBudget) this.charged = 0;
    this.changedAt = now;
    // Requests that have reserved nothing may be running.
    this.mayExceed = true;
  }

  private expiredAt(now: number): number {
    return sumOf(this.holds.filter((hold) => isExpired(hold, now)));
  }

  private leaked(milliseconds: number, max: number): number {
    const { per } = this.limit;
    if (per !== 'second' && per !== 'minute' && per !== 'hour') return 0;
    return (milliseconds * max) / bucketMilliseconds[per];
  }
}

const generationOf = (now: number) => Math.floor(now / generationMilliseconds);
/** Holds count until the end of the generation after their own. */
const isExpired = ({ generation = Infinity }: Count, now: number) => generationOf(now) > generation + 1;
const sumOf = (counts: readonly Count[]) => counts.reduce((sum, { amount }) => sum + amount, 0);
