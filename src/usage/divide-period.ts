import { dayTimeHours, packedTables, type SlotLength } from './history/packed-usage.js';
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

/** The slots of packed rows with the same start. */
export interface SlotRange {
  length: SlotLength;
  /** The `start` of the rows. */
  start: Date;
  /** Inclusive. */
  first: number;
  /** Exclusive. */
  end: number;
}

const hourMilliseconds = 3_600_000;

/** Returns the slots that count in a piece. */
export function slotsOf({ length, from, to }: UsagePiece): SlotRange[] {
  const ranges: SlotRange[] = [];
  for (let start = startOfRow(length, from, 0); start < to; start = startOfRow(length, start, 1)) {
    const rowEnd = startOfRow(length, start, 1);
    const first = Math.max(0, slotFrom(length, start, from));
    ranges.push({ length, start, first, end: slotFrom(length, start, to < rowEnd ? to : rowEnd) });
  }
  return ranges;
}

/** The start of the row that contains the instant, or of a later one. */
function startOfRow(length: SlotLength, instant: Date, offset: number): Date {
  const [year, month, day] = [instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate()];
  switch (packedTables[length].period) {
    case 'day':
      return new Date(Date.UTC(year, month, day + offset));
    case 'month':
      return new Date(Date.UTC(year, month + offset));
    case 'year':
      return new Date(Date.UTC(year + offset, 0));
  }
}

/** The first slot of a row that counts at an instant or later; may be outside of the row. */
function slotFrom(length: SlotLength, start: Date, instant: Date): number {
  const hours = (instant.getTime() - start.getTime()) / hourMilliseconds;
  switch (length) {
    case 'hour':
      return Math.ceil(hours);
    case 'day':
      return Math.ceil((hours - dayTimeHours) / 24);
    case 'month':
      // Pieces consist of whole months.
      return 12 * (instant.getUTCFullYear() - start.getUTCFullYear()) + instant.getUTCMonth();
  }
}
