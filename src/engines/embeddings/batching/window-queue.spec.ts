import fc from 'fast-check';
import { WindowQueue, type PendingWindow, type QueuedRequest } from './window-queue.js';

class Request implements QueuedRequest<Request, Uint16Array> {
  waiting: PendingWindow<Request, Uint16Array>[];
  organizationId = 'organization';

  constructor(...lengths: number[]) {
    this.waiting = lengths.map((length, index) => ({ request: this, index, tokenIds: new Uint16Array(length) }));
  }
}

const limits = { maxWindows: 32, maxTokens: 1536 };

function queueOf(...requests: Request[]): WindowQueue<Uint16Array, Request> {
  const queue = new WindowQueue<Uint16Array, Request>();
  requests.forEach((request) => queue.add(request));
  return queue;
}

describe('WindowQueue', () => {
  it('should return every window once, within the limits and with little padding', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 128 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(lengths, { minLength: 1, maxLength: 20 }), (requests) => {
        const queue = queueOf(...requests.map((request) => new Request(...request)));
        const total = queue.windowCount;
        const seen = new Set<PendingWindow<Request, Uint16Array>>();
        for (let batch = queue.takeBatch(limits); batch.length > 0; batch = queue.takeBatch(limits)) {
          const sizes = batch.map((window) => window.tokenIds.length);
          expect(batch.length).toBeLessThanOrEqual(limits.maxWindows);
          expect(batch.length * Math.max(...sizes)).toBeLessThanOrEqual(limits.maxTokens);
          expect(Math.min(...sizes)).toBeGreaterThanOrEqual(0.7 * Math.max(...sizes));
          batch.forEach((window) => seen.add(window));
        }
        expect(seen.size).toBe(total);
        expect([queue.windowCount, queue.tokenCount]).toEqual([0, 0]);
      }),
    );
  });

  it('should serve a single sentence in the next batch, however many windows are waiting', () => {
    const queue = queueOf(new Request(...Array.from({ length: 2048 }, () => 30)));
    queue.takeBatch(limits);
    const single = new Request(30);
    queue.add(single);
    const served = queue.takeBatch(limits).map((window) => window.request);
    expect(served).toContain(single);
  });

  it('should serve another organization in the next batch, then both equally by tokens', () => {
    const requestOf = (organizationId: string, windows: number, length: number) =>
      Object.assign(new Request(...Array.from({ length: windows }, () => length)), { organizationId });
    const queue = queueOf(...Array.from({ length: 50 }, () => requestOf('flood', 100, 30)));
    queue.takeBatch(limits);
    const single = requestOf('single', 1, 120);
    queue.add(single);
    expect(queue.takeBatch(limits).map((window) => window.request)).toContain(single);
    expect(queue.windowCountOf('single')).toBe(0);
    queue.add(requestOf('other', 1000, 100));
    const tokens = { flood: 0, other: 0 };
    for (let batch = 0; batch < 40; batch += 1) {
      for (const { request, tokenIds } of queue.takeBatch(limits)) {
        tokens[request.organizationId === 'other' ? 'other' : 'flood'] += tokenIds.length;
      }
    }
    expect(Math.abs(tokens.flood - tokens.other)).toBeLessThanOrEqual(limits.maxTokens);
  });

  it('should serve a window of unusual length in its turn', () => {
    const unusual = new Request(5);
    const queue = queueOf(new Request(...Array.from({ length: 500 }, () => 100)), unusual);
    const batches = [queue.takeBatch(limits), queue.takeBatch(limits)];
    expect(batches.flat().map((window) => window.request)).toContain(unusual);
  });

  it('should free the places of a removed request', () => {
    const removed = new Request(7, 8, 9);
    const queue = queueOf(removed, new Request(8));
    queue.remove(removed);
    expect([queue.windowCount, queue.tokenCount]).toEqual([1, 8]);
    expect(queue.takeBatch(limits).every((window) => window.request !== removed)).toBe(true);
  });

  it('should return a window over the token limit in a batch of its own', () => {
    const queue = queueOf(new Request(128));
    expect(queue.takeBatch({ maxWindows: 1, maxTokens: 10 })).toHaveLength(1);
  });
});
