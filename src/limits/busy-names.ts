/** Requests in this time from which a key or a limit is busy. */
const leastRequests = 5;
const windowMilliseconds = 500;

/** Finds out which keys or limits get many requests. */
export class BusyNames {
  private requests = new Map<string, number>();
  private earlierRequests = new Map<string, number>();
  private since = performance.now();

  /** Counts a request. */
  count(name: string): void {
    this.startWindow();
    this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
  }

  /** Whether there are many requests now. */
  has(name: string): boolean {
    this.startWindow();
    return Math.max(this.requests.get(name) ?? 0, this.earlierRequests.get(name) ?? 0) >= leastRequests;
  }

  private startWindow(): void {
    const passed = performance.now() - this.since;
    if (passed < windowMilliseconds) return;
    this.earlierRequests = passed < 2 * windowMilliseconds ? this.requests : new Map<string, number>();
    this.requests = new Map();
    this.since += passed;
  }
}
