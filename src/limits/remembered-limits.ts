import { isBudget } from '../common/rules/limit-rules.js';
import { Admission, countsRequests, type CountedLimit } from './admission.js';

/** How old the state of limits may be that decides nothing, but is shown to clients. */
const maxAgeMilliseconds = 2000;
/** A key is busy if it sends as many requests in this time. Others gain too little. */
const leastRequests = 10;
const windowMilliseconds = 500;
/** Budgets of which less is left decide for themselves when a request arrives. */
const leastShare = 0.01;
/** Times are estimated near the end of a period. */
const marginMilliseconds = 5000;
const maxEntries = 100_000;

type State = { -readonly [Field in keyof CountedLimit]: CountedLimit[Field] };

interface Entry {
  digest: string;
  states: State[];
  /** The database's clock at `readAt`. */
  at: number;
  /** From `performance.now()`, like all times. */
  readAt: number;
  /** When the first period ends. */
  endsAt: number;
  since: number;
  requests: number;
  wasBusy: boolean;
}

/**
 * Limits of busy keys that have nothing but budgets. Their requests count in nothing when they arrive, and reserve what they use
 * later. So it's enough to know that the limits are the same as a moment ago, which their digest tells.
 */
export class RememberedLimits {
  private readonly entries = new Map<string, Entry>();

  /** Keeps the limits that a request has just been decided with. */
  remember(hash: string, digest: string | null, admission: Admission): void {
    const { states, arrival } = admission;
    const now = performance.now();
    if (digest === null || states.length === 0 || !states.every(isOfUse)) {
      this.entries.delete(hash);
      return;
    }
    if (this.entries.size >= maxEntries) this.entries.clear();
    const before = this.entries.get(hash) ?? { since: now, requests: 0, wasBusy: false };
    const endsAt = now + Math.min(...states.map(({ resetsAt = 0 }) => resetsAt)) - arrival.at - marginMilliseconds;
    const { since, requests, wasBusy } = before;
    const entry = { digest, at: arrival.at, readAt: now, endsAt, since, requests, wasBusy };
    this.entries.set(hash, this.follow({ ...entry, states: states.map((state) => ({ ...state })) }, admission));
    count(this.entries.get(hash), now);
  }

  /** Whether a request of a key needs no decision when it arrives. */
  has(hash: string): boolean {
    const entry = this.entries.get(hash);
    const now = performance.now();
    count(entry, now);
    if (entry === undefined || now > entry.endsAt || now - entry.readAt > maxAgeMilliseconds) return false;
    if (!entry.wasBusy && entry.requests < leastRequests) return false;
    return entry.states.every(({ max, charged, reserved }) => max - charged - reserved > max * leastShare);
  }

  /** Admits a request, if the limits of its key are still the same; otherwise, it must be decided. */
  admit(hash: string, digest: string | null, keyId: string, organizationId: string): Admission | undefined {
    const entry = this.entries.get(hash);
    if (entry === undefined || entry.digest !== digest) return undefined;
    const states = entry.states.map((state) => ({ ...state }));
    const at = entry.at + performance.now() - entry.readAt;
    const admission = new Admission(keyId, organizationId, at, 0, true, states);
    this.follow(entry, admission);
    return admission;
  }

  /** Adds what the request uses. */
  private follow(entry: Entry, admission: Admission): Entry {
    admission.onUse = (usedOf) => {
      for (const reservation of admission.reservations) {
        const used = usedOf(reservation) ?? reservation.held;
        for (const { limit } of reservation.counts) {
          const state = entry.states.find((one) => isSame(one, limit));
          if (state !== undefined && !countsRequests(state.metric)) state.charged += used[state.metric];
        }
      }
    };
    return entry;
  }
}

function count(entry: Entry | undefined, now: number): void {
  if (entry === undefined) return;
  const passed = now - entry.since;
  if (passed > windowMilliseconds) {
    entry.wasBusy = entry.requests >= leastRequests && passed < 2 * windowMilliseconds;
    entry.since = now;
    entry.requests = 0;
  }
  entry.requests += 1;
}

function isOfUse(limit: CountedLimit): boolean {
  return isBudget(limit) && !countsRequests(limit.metric);
}

function isSame(one: CountedLimit, other: CountedLimit): boolean {
  return one.ownerId === other.ownerId && one.counterMetric === other.counterMetric && one.per === other.per;
}
