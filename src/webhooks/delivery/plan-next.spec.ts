import fc from 'fast-check';
import { defaultWebhookOptions } from '../../config/webhook-options.js';
import { planNext } from './plan-next.js';

const { retrySeconds } = defaultWebhookOptions;
const failure = { status: 500, retryAfterSeconds: undefined };
const plan = (attempt: number, result: Parameters<typeof planNext>[1], random = 0.5) =>
  planNext({ kind: 'event', attempt }, result, retrySeconds, random);

describe('planNext', () => {
  it.each([200, 201, 204, 299])('should confirm the delivery after %d', (status) => {
    expect(plan(1, { ...failure, status })).toEqual({ status: 'succeeded' });
  });

  it.each([null, 199, 300, 301, 400, 404, 429, 500, 502])('should retry after %j', (status) => {
    expect(plan(1, { ...failure, status })).toEqual({ status: 'waiting', delayMilliseconds: 5000 });
  });

  it('should retry after 5 s, 5 min, 30 min, and 2, 5, 10, 14, 20 and 24 h, then disable the webhook', () => {
    const delays = retrySeconds.map((_, index) => (plan(index + 1, failure).delayMilliseconds ?? NaN) / 60_000);
    expect(delays).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440]);
    expect(plan(10, failure)).toEqual({ status: 'failed', disable: 'failing' });
  });

  it('should vary each delay by at most a tenth', () => {
    const attempts = fc.integer({ min: 1, max: retrySeconds.length });
    const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(attempts, randoms, (attempt, random) => {
        const seconds = retrySeconds[attempt - 1] ?? NaN;
        const share = (plan(attempt, failure, random).delayMilliseconds ?? NaN) / (seconds * 1000);
        expect(share).toBeGreaterThanOrEqual(0.9 - 1e-3);
        expect(share).toBeLessThanOrEqual(1.1 + 1e-3);
      }),
    );
  });

  it('should wait as long as Retry-After asks, up to a day, but never less than planned', () => {
    const delayAfter = (retryAfterSeconds: number) => plan(1, { status: 429, retryAfterSeconds }).delayMilliseconds;
    expect([1, 60, 10 ** 9].map(delayAfter)).toEqual([5000, 60_000, 86_400_000]);
  });

  it('should disable the webhook after 410', () => {
    expect(plan(1, { ...failure, status: 410 })).toEqual({ status: 'failed', disable: 'gone' });
  });

  it.each(['redelivery', 'test'] as const)('should make a single attempt of a %s, and disable nothing', (kind) => {
    for (const status of [500, 410, null]) {
      expect(planNext({ kind, attempt: 1 }, { ...failure, status }, retrySeconds, 0)).toEqual({ status: 'failed' });
    }
  });
});
