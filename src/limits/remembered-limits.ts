import { Admission, type CountedLimit, isCountedIn, isMeteredBudget } from './admission.js';
import { BusyNames } from './busy-names.js';

/** How old the state of limits may be that decides nothing, but is shown to clients. */
const maxAgeMilliseconds = 2000;
/** Budgets of which less is left decide for themselves when a request arrives. */
const leastShare = 0.01;
/** Times are estimated near the end of a period. */
const marginMilliseconds = 5000;
const maxEntries = 100_000;

interface Entry {
  /** Of the limits, and of the organization's time zone. */
  readonly digest: string;
  readonly states: { -readonly [Field in keyof CountedLimit]: CountedLimit[Field] }[];
  /** The database's clock at `readAt`. */
  readonly at: number;
  /** From `performance.now()`. */
  readonly readAt: number;
}

/**
 * Limits of busy keys that have nothing but budgets. Their requests count in nothing when they arrive, and reserve what they use
 * later. So it's enough to know that the limits are the same as a moment ago, which their digest tells.
 */
export class RememberedLimits {
  private readonly entries = new Map<string, Entry>();
  private readonly busy = new BusyNames();

  /** Keeps the limits that a request has just been decided with. */
  remember(hash: string, digest: string | null, admission: Admission): void {
    const { states, arrival } = admission;
    this.busy.count(hash);
    if (digest === null || states.length === 0 || !states.every(isMeteredBudget)) {
      this.entries.delete(hash);
      return;
    }
    if (this.entries.size >= maxEntries) this.entries.clear();
    const copies = states.map((state) => ({ ...state }));
    const entry = { digest, states: copies, at: arrival.at, readAt: performance.now() };
    this.entries.set(hash, entry);
    follow(entry, admission);
  }

  /** Whether a request of a key needs no decision when it arrives, unless its limits have changed. */
  has(hash: string): boolean {
    const entry = this.entries.get(hash);
    if (entry === undefined || !this.busy.has(hash)) return false;
    const now = clockOf(entry);
    if (now - entry.at > maxAgeMilliseconds) return false;
    return entry.states.every(({ max, charged, reserved, resetsAt = 0 }) => {
      return max - charged - reserved > max * leastShare && now < resetsAt - marginMilliseconds;
    });
  }

  /** Admits a request, if the limits of its key are still the same; otherwise, it must be decided. */
  admit(hash: string, digest: string | null, keyId: string, organizationId: string): Admission | undefined {
    const entry = this.entries.get(hash);
    if (entry === undefined || entry.digest !== digest) return undefined;
    this.busy.count(hash);
    const states = entry.states.map((state) => ({ ...state }));
    const admission = new Admission(keyId, organizationId, clockOf(entry), 0, true, states);
    follow(entry, admission);
    return admission;
  }
}

/** The database's clock now. */
function clockOf({ at, readAt }: Entry): number {
  return at + performance.now() - readAt;
}

/** Adds what a request uses, once that's known. */
function follow({ states }: Entry, admission: Admission): void {
  admission.onUse = (usedOf) => {
    for (const reservation of admission.reservations) {
      const used = usedOf(reservation) ?? reservation.held;
      for (const state of states) {
        if (isMeteredBudget(state) && isCountedIn(reservation, state)) state.charged += used[state.metric];
      }
    }
  };
}
