import { AppError } from '../common/errors/app-error.js';

export const intervals = ['hour', 'day', 'none'] as const;
export type Interval = (typeof intervals)[number];

/** How many points an answer may have, over all its groups. */
export const largestPointCount = 1000;

const hourMilliseconds = 3_600_000;
const lengthsMilliseconds = { hour: hourMilliseconds, day: 24 * hourMilliseconds };

/** Whole hours or days of UTC. */
export interface UsagePeriod {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  /** When each interval begins; empty for `none`. */
  starts: Date[];
}

/**
 * The hours, or days, of UTC that the asked-for period touches.
 *
 * @param now stands for `to` where that is not given; `from` is then, or for itself, 24 hours earlier
 * @throws AppError 400 when `from` is not before `to` or there are too many intervals
 */
export function toUsagePeriod(
  asked: { from?: Date | undefined; to?: Date | undefined; interval: Interval },
  now: Date,
): UsagePeriod {
  const { to = now, interval } = asked;
  const { from = new Date(to.getTime() - lengthsMilliseconds.day) } = asked;
  if (from >= to) {
    const message = `from must be before to; it is ${from.toISOString()}, and to is ${to.toISOString()}`;
    throw new AppError('validation-failed', message, { fields: [{ field: 'from', message }] });
  }
  const length = lengthsMilliseconds[interval === 'day' ? 'day' : 'hour'];
  const first = Math.floor(from.getTime() / length);
  const end = Math.ceil(to.getTime() / length);
  const count = interval === 'none' ? 0 : end - first;
  checkPointCount(count, 1);
  return {
    from: new Date(first * length),
    to: new Date(end * length),
    starts: Array.from({ length: count }, (_, index) => new Date((first + index) * length)),
  };
}

/**
 * @param intervalCount 0 where a group has its totals only, which then count as its one point
 * @throws AppError 400 that says what to change
 */
export function checkPointCount(intervalCount: number, groupCount: number): void {
  const points = Math.max(1, intervalCount) * groupCount;
  if (points <= largestPointCount) return;
  const [field, change] =
    intervalCount > 1
      ? ['interval', 'choose a longer interval, a shorter period or a filter']
      : ['groupBy', 'choose another grouping, a shorter period or a filter'];
  const message = `the answer would have ${points} points (${groupCount} groups of ${Math.max(1, intervalCount)}), and at most ${largestPointCount} are allowed: ${change}`;
  throw new AppError('validation-failed', message, { fields: [{ field, message }] });
}
