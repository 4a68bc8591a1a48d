import { LRUCache } from 'lru-cache';
import type { RequestOutcome } from './logged-request.js';

/** Requests of a key that are taken however fast they follow each other. */
const burst = 50;
/** Further requests that are taken. */
const perMinute = { success: 10, failure: 30 };
/** Keys whose recent requests are known. One that was forgotten may be used in a burst again. */
const maxKeys = 20_000;

interface Allowance {
  left: number;
  /** When it was computed. */
  at: number;
}

/**
 * Chooses the requests that a replica logs: all of a key that is used now and then, and a sample of a busy key, so that
 * what is written doesn't grow with its requests. Failures have an allowance of their own, which is larger.
 */
export class RequestSampler {
  private readonly allowances = new LRUCache<string, Allowance>({ max: 2 * maxKeys });

  /** @param now returns milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether a request should be logged. */
  takes(apiKeyId: string, outcome: RequestOutcome): boolean {
    const kind = outcome === 'success' ? 'success' : 'failure';
    const allowance = this.allowanceOf(`${apiKeyId} ${kind}`);
    const now = this.now();
    allowance.left = Math.min(burst, allowance.left + ((now - allowance.at) / 60_000) * perMinute[kind]);
    allowance.at = now;
    if (allowance.left < 1) return false;
    allowance.left -= 1;
    return true;
  }

  private allowanceOf(name: string): Allowance {
    const known = this.allowances.get(name);
    if (known !== undefined) return known;
    const allowance = { left: burst, at: this.now() };
    this.allowances.set(name, allowance);
    return allowance;
  }
}
