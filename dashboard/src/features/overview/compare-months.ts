import type { Overview, UsageSums } from '../../api/schema.js';
import { describeChange } from '../../common/usage/describe-change.js';
import { describeStart, namePreviousMonth } from '../../common/usage/previous-month.js';
import type { CalendarMonth } from '../../lib/calendar-month.js';
import { clockOf } from '../../lib/time-zone.js';
import type { Measure } from './measures.js';

/** How the current month is compared with the previous one. */
export interface MonthComparison {
  /** Describes the change of a figure; undefined if there is nothing to compare with. */
  describe: ((measure: Measure, sums: UsageSums) => string) | undefined;
  /** Says what the figures are compared with. */
  note: string;
}

/** Compares the current month with the same part of the previous one, in the words of the usage page. */
export function compareMonths(
  { at, timeZone, previousMonth }: Pick<Overview, 'at' | 'timeZone' | 'previousMonth'>,
  month: CalendarMonth,
): MonthComparison {
  if (previousMonth === undefined) return { describe: undefined, note: "No comparison: older usage isn't kept." };
  const { totals, usageFrom, costFrom } = previousMonth;
  const { days, name } = namePreviousMonth(month, new Date(clockOf(timeZone, Date.parse(at))));
  if (totals.requests === 0) return { describe: undefined, note: `No requests in ${name} to compare with.` };
  const start = { usage: usageFrom, cost: costFrom };
  const starts = [
    describeStart(false, start, timeZone),
    costFrom === usageFrom ? undefined : describeStart(true, start, timeZone),
  ].filter((text) => text !== undefined);
  return {
    describe: ({ valueOf, describePrevious }, sums) => {
      const text = describePrevious?.(totals);
      return text === undefined ? describeChange(valueOf(sums), valueOf(totals), days) : `${text} in ${days}`;
    },
    note: `Changes are vs. ${name}${starts.length === 0 ? '' : ` (${starts.join(', ')})`}.`,
  };
}
