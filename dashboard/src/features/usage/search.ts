import type { SearchSchemaInput } from '@tanstack/react-router';
import { readChoice, readText } from '../../lib/search-parameters.js';
import { type CalendarDay, countDays, dayOf, readDay, startOfDay } from '../../lib/calendar-day.js';

/** The usage of which time, divided into what. */
export interface UsageSearch {
  /** Up to the present; counts for nothing when there are `from` and `to`. */
  range: '24h' | '7d' | '30d' | '90d';
  /** The first of the chosen days; only together with `to`. */
  from?: CalendarDay;
  /** The last of the chosen days. */
  to?: CalendarDay;
  groupBy: 'none' | 'apiKey' | 'model';
  /** Only what this key has used. */
  apiKeyId?: string;
  /** Only what was used of this model. */
  model?: string;
}

/** What an address without parameters shows. */
export const usageSearchDefaults = { range: '7d', groupBy: 'none' } as const;

/** More days are neither readable in a chart nor answered by the service. */
const mostDays = 366;

/** What the address says; the defaults in place of what makes no sense. */
export function readUsageSearch(search: Partial<UsageSearch> & SearchSchemaInput): UsageSearch {
  return {
    range: readChoice(search.range, ['7d', '24h', '30d', '90d']),
    ...readDays(search.from, search.to),
    groupBy: readChoice(search.groupBy, ['none', 'apiKey', 'model']),
    apiKeyId: readText(search.apiKeyId),
    model: readText(search.model),
  };
}

function readDays(from: unknown, to: unknown): Pick<UsageSearch, 'from' | 'to'> {
  const [first, last] = [readDay(from), readDay(to)];
  if (first === undefined || last === undefined || first > last) return { from: undefined, to: undefined };
  const isTooLong = countDays(first, last) > mostDays;
  return { from: isTooLong ? dayOf(startOfDay(last, 1 - mostDays)) : first, to: last };
}
