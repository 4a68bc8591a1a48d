const dayMilliseconds = 24 * 3_600_000;

/** The days of a time zone, numbered from 1970-01-01 on. Most have 24 hours; those on which clocks change do not. */
export class CalendarDays {
  private readonly offsets: Intl.DateTimeFormat;

  /** @param timeZone an IANA name, such as `Europe/Berlin` */
  constructor(timeZone: string) {
    this.offsets = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /** The day that the instant falls on. */
  numberOf(instant: Date): number {
    return Math.floor((instant.getTime() + this.offsetMillisecondsAt(instant.getTime())) / dayMilliseconds);
  }

  /** The first instant of the day: midnight, or where clocks skip midnight the moment at which they do. */
  startOf(number: number): Date {
    const midnight = number * dayMilliseconds;
    // No zone is a whole day off UTC, so these are the offsets before and after whatever happens around midnight.
    const before = midnight - this.offsetMillisecondsAt(midnight - dayMilliseconds);
    const after = midnight - this.offsetMillisecondsAt(midnight + dayMilliseconds);
    const isMidnight = (instant: number) => instant + this.offsetMillisecondsAt(instant) === midnight;
    const found = [before, after].sort((one, other) => one - other).find(isMidnight);
    return new Date(found ?? before);
  }

  /** How far clocks are ahead of UTC. */
  private offsetMillisecondsAt(instant: number): number {
    const name = this.offsets.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = 0, minutes = 0] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
    return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  }
}
