import type { SearchSchemaInput } from '@tanstack/react-router';
import { readTag } from '../../common/api-keys/search.js';
import { readChoice, readPage, readText } from '../../lib/search-parameters.js';
import { type CalendarMonth, readMonth } from '../../lib/calendar-month.js';
import { type CalendarDay, countDays, dayOf, readDay, startOfDay } from '../../lib/calendar-day.js';

/** What period the usage page shows. */
export interface UsageRange {
  /** Up to now; ignored if there is a `month`, or `from` and `to`. */
  range: '24h' | '7d' | '30d' | '90d';
  /** A calendar month. */
  month?: CalendarMonth;
  /** First day of a custom range; requires `to`. */
  from?: CalendarDay;
  /** Last day of a custom range. */
  to?: CalendarDay;
}

/** What usage can be grouped by. */
export const groupings = ['none', 'apiKey', 'model', 'tag'] as const;

/** URL parameters of the usage page. */
export interface UsageSearch extends UsageRange {
  groupBy: (typeof groupings)[number];
  /** Filters by key. */
  apiKeyId?: string;
  /** Filters by the creator of keys. Not part of the URL. */
  creatorId?: string;
  /** Filters by model. */
  model?: string;
  /** Filters by tag. */
  tag?: string;
  /** Page of the table of keys or models. */
  page?: number;
  perPage?: number;
}

/** Defaults for missing URL parameters. */
export const usageSearchDefaults = { range: '7d', groupBy: 'none', page: 1, perPage: 10 } as const;

/** The service's limit. */
const maxDays = 366;

/** Reads the URL parameters. Invalid values become the defaults. */
export function readUsageSearch(search: Partial<UsageSearch> & SearchSchemaInput): UsageSearch {
  return {
    range: readChoice(search.range, ['7d', '24h', '30d', '90d']),
    ...readDates(search),
    groupBy: readChoice(search.groupBy, groupings),
    apiKeyId: readText(search.apiKeyId),
    model: readText(search.model),
    tag: readTag(search.tag),
    ...readPage(search, usageSearchDefaults),
  };
}

/** The period alone, for queries that don't depend on other parameters. */
export function rangeOf({ range, month, from, to }: UsageRange): UsageRange {
  return { range, month, from, to };
}

function readDates({ month, from, to }: Partial<UsageSearch>): Pick<UsageSearch, 'month' | 'from' | 'to'> {
  const valid = readMonth(month);
  return valid === undefined ? readDays(from, to) : { month: valid };
}

function readDays(from: unknown, to: unknown): Pick<UsageSearch, 'from' | 'to'> {
  const [first, last] = [readDay(from), readDay(to)];
  if (first === undefined || last === undefined || first > last) return { from: undefined, to: undefined };
  const isTooLong = countDays(first, last) > maxDays;
  return { from: isTooLong ? dayOf(startOfDay(last, 1 - maxDays)) : first, to: last };
}
