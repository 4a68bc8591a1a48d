import { budgetPeriods } from '@rules/limit-rules.js';
import type { Limit } from '../../api/schema.js';
import type { CalendarDay } from '../../lib/calendar-day.js';

/** A range of the usage page. */
interface BudgetRange {
  month?: string;
  from?: CalendarDay;
  to?: CalendarDay;
}

/**
 * The current period of the longest budget, as a range of the usage page; undefined without budgets.
 *
 * @param today in the organization's time zone
 */
export function usageRangeOf(limits: readonly Pick<Limit, 'per'>[], today: CalendarDay): BudgetRange | undefined {
  const longest = budgetPeriods.findLast((period) => limits.some(({ per }) => per === period));
  switch (longest) {
    case 'month':
      return { month: today.slice(0, 7) };
    case 'week':
      return { from: mondayBefore(today), to: today };
    case 'day':
      return { from: today, to: today };
    case undefined:
      return undefined;
  }
}

/** The first day of a day's week, as of budgets. */
function mondayBefore(day: CalendarDay): CalendarDay {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}
