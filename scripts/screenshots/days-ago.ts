const dayMilliseconds = 86_400_000;

/** Returns the time this many days ago. Accepts fractions, and negative numbers for the future. */
export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * dayMilliseconds);
}
