import fc from 'fast-check';
import { latencyBucketOf, millisecondsOfBucket } from './latency-buckets.js';

describe('latencyBucketOf', () => {
  it('should tell any duration from 10 microseconds to a day within 9.1 %', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 86_400_000, noNaN: true }), (milliseconds) => {
        const told = millisecondsOfBucket(latencyBucketOf(milliseconds));
        expect(Math.abs(told / milliseconds - 1)).toBeLessThan(0.091);
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

  it('should have a bucket for no time at all', () => {
    expect(latencyBucketOf(0)).toBe(latencyBucketOf(0.01));
  });
});
