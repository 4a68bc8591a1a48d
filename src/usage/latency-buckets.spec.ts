import fc from 'fast-check';
import { latencyBucketOf, maxMillisecondsOfBucket } from './latency-buckets.js';

describe('latencyBucketOf', () => {
  it('should represent durations from 10 microseconds to a day by an upper bound, at most 19% above', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 86_400_000, noNaN: true }), (milliseconds) => {
        const represented = maxMillisecondsOfBucket(latencyBucketOf(milliseconds));
        expect(represented).toBeGreaterThanOrEqual(milliseconds);
        expect(represented / milliseconds).toBeLessThan(1.19);
      }),
    );
  });

  it('should never put a longer duration into a lower bucket', () => {
    const duration = fc.double({ min: 0, max: 86_400_000, noNaN: true });
    fc.assert(
      fc.property(duration, duration, (one, other) => {
        const [shorter, longer] = [Math.min(one, other), Math.max(one, other)];
        expect(latencyBucketOf(shorter)).toBeLessThanOrEqual(latencyBucketOf(longer));
      }),
    );
  });

  it('should have a bucket for a duration of 0', () => {
    expect(latencyBucketOf(0)).toBe(latencyBucketOf(0.01));
  });
});
