const dayMilliseconds = 86_400_000;

/** The time that many days ago; fractions and negative numbers work. */
export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * dayMilliseconds);
}
