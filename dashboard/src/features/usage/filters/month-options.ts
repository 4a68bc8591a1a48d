import { type CalendarMonth, formatMonth, monthsBefore } from '../../../lib/calendar-month.js';
import type { Option } from './filter-options.js';

/** As long as usage is kept by default. */
const months = 13;

/** The months to choose from, newest first. Includes the selected one. */
export function monthOptions(thisMonth: CalendarMonth, selected: CalendarMonth): Option[] {
  const recent = Array.from({ length: months }, (_, count) => monthsBefore(thisMonth, count));
  const names = ['This month', 'Last month'];
  const options = recent.map((value, index) => ({
    value,
    label: names[index] === undefined ? formatMonth(value) : `${names[index]} (${formatMonth(value)})`,
  }));
  if (recent.includes(selected)) return options;
  const other = { value: selected, label: formatMonth(selected) };
  return selected > thisMonth ? [other, ...options] : [...options, other];
}
