const dayMilliseconds = 86_400_000;

/** The instant so many days before now. */
export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * dayMilliseconds);
}
