const minuteMilliseconds = 60_000;
const dayMilliseconds = 24 * 60 * minuteMilliseconds;

/** Days of a time zone, numbered from 1970-01-01. Days on which clocks change don't have 24 hours. */
export class CalendarDays {
  private readonly offsets: Intl.DateTimeFormat;

  /** @param timeZone IANA name, such as `Europe/Berlin` */
  constructor(timeZone: string) {
    this.offsets = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /** The number of the day that contains the instant. */
  numberOf(instant: Date): number {
    return Math.floor((instant.getTime() + this.offsetMillisecondsAt(instant.getTime())) / dayMilliseconds);
  }

  /** The first instant of a day: midnight, or the clock change that skips it. */
  startOf(number: number): Date {
    const midnight = number * dayMilliseconds;
    // No time zone is a whole day off UTC, so these are the offsets before and after any clock change around midnight.
    const before = midnight - this.offsetMillisecondsAt(midnight - dayMilliseconds);
    const after = midnight - this.offsetMillisecondsAt(midnight + dayMilliseconds);
    const isMidnight = (instant: number) => instant + this.offsetMillisecondsAt(instant) === midnight;
    const found = [before, after].sort((one, other) => one - other).find(isMidnight);
    return new Date(found ?? before);
  }

  /** When clocks show the same minute on another day as at the instant, which is rounded up. */
  sameMinuteOn(number: number, instant: Date): Date {
    const minute = Math.ceil(instant.getTime() / minuteMilliseconds) * minuteMilliseconds;
    const days = number - this.numberOf(instant);
    const clock = minute + this.offsetMillisecondsAt(minute) + days * dayMilliseconds;
    // The second offset is right if the clocks change in between.
    const guess = clock - this.offsetMillisecondsAt(clock);
    return new Date(clock - this.offsetMillisecondsAt(guess));
  }

  /** The offset from UTC. */
  private offsetMillisecondsAt(instant: number): number {
    const name = this.offsets.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = 0, minutes = 0] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
    return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  }
}
