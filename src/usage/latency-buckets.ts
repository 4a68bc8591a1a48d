/** Each bucket is 2^(1/4), about 1.19, times as wide as the previous one. */
const bucketsPerDoubling = 4;
const minMilliseconds = 0.01;

/**
 * The logarithmic bucket of a duration. Counts per bucket add up across hours, keys and replicas without loss, and
 * percentiles read from them are accurate to 9.1 %.
 */
export function latencyBucketOf(milliseconds: number): number {
  return Math.floor(bucketsPerDoubling * Math.log2(Math.max(milliseconds, minMilliseconds)));
}

/** The duration in the middle of a bucket, within 9.1 % of all durations in it. */
export function millisecondsOfBucket(bucket: number): number {
  return 2 ** ((bucket + 0.5) / bucketsPerDoubling);
}
