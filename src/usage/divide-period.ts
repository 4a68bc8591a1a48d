import type { SlotLength } from './history/packed-usage.js';
import { firstKeptHour, type UsagePeriod } from './usage-period.js';

/** A part of a period, and the length of the slots that add up to it. */
export interface UsagePiece {
  length: SlotLength;
  from: Date;
  to: Date;
}

/**
 * Divides a period into pieces of months, days and hours. Older usage has no hours: a day counts if 10:00 UTC is within
 * the period.
 *
 * @param longest slots to use; hours need to be divided further for reports by local day, for example
 */
export function dividePeriod(
  { from, to }: Pick<UsagePeriod, 'from' | 'to'>,
  longest: SlotLength,
  now: Date,
): UsagePiece[] {
  const firstHourly = firstKeptHour(now);
  // Nothing is used after now, so the last day and month are complete.
  const end = to < now ? 'down' : 'up';
  let [firstDay, lastDay] = [roundTo('day', from, 'up'), roundTo('day', to, end)];
  if (longest === 'hour') lastDay = firstHourly;
  if (from < firstHourly) firstDay = from;
  if (to <= firstHourly) lastDay = to;
  if (firstDay >= lastDay) [firstDay, lastDay] = [to, to];
  let [firstMonth, lastMonth] = [roundTo('month', firstDay, 'up'), roundTo('month', lastDay, end)];
  if (longest !== 'month' || firstMonth >= lastMonth) [firstMonth, lastMonth] = [lastDay, lastDay];
  const pieces: UsagePiece[] = [
    { length: 'hour', from, to: firstDay },
    { length: 'day', from: firstDay, to: firstMonth },
    { length: 'month', from: firstMonth, to: lastMonth },
    { length: 'day', from: lastMonth, to: lastDay },
    { length: 'hour', from: lastDay, to },
  ];
  return pieces.filter((piece) => piece.from < piece.to);
}

/** The start of the UTC day or month that contains the instant, or of the next one. */
function roundTo(length: 'day' | 'month', instant: Date, direction: 'up' | 'down'): Date {
  const [year, month, day] = [instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate()];
  const startOf = (offset: number) =>
    new Date(length === 'day' ? Date.UTC(year, month, day + offset) : Date.UTC(year, month + offset));
  const start = startOf(0);
  return direction === 'down' || start.getTime() === instant.getTime() ? start : startOf(1);
}
