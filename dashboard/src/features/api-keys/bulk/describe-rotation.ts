interface Rotation {
  /** How many keys are rotated. */
  count: number;
  /** How many of them have a leaked secret, which gets no grace period. */
  leakedCount: number;
  /** Whether the other secrets get no grace period either. */
  isImmediate: boolean;
}

/** What happens to the current secrets of keys that are rotated. */
export function describeRotation({ count, leakedCount, isImmediate }: Rotation): string {
  const secrets = leakedCount === 0 ? 'current secrets' : 'other secrets';
  const leaked =
    leakedCount === 1
      ? 'The leaked secret of 1 key is revoked immediately.'
      : `The leaked secrets of ${leakedCount} keys are revoked immediately.`;
  const others = isImmediate
    ? `Anything using the ${secrets} will stop working immediately.`
    : `The ${secrets} keep working until they're revoked, so you can replace them without downtime.`;
  return [...(leakedCount === 0 ? [] : [leaked]), ...(leakedCount === count ? [] : [others])].join(' ');
}
