import type { SearchSchemaInput } from '@tanstack/react-router';
import { readTag } from '../../common/api-keys/search.js';
import { readChoice, readId, readMany, readPage, readText } from '../../lib/search-parameters.js';
import { type CalendarMonth, readMonth } from '../../lib/calendar-month.js';
import { type CalendarDay, countDays, dayOf, readDay, startOfDay } from '../../lib/calendar-day.js';
import { type MeasureKey, measureKeys } from './measure-keys.js';
import { readTagPrefix } from './tag-prefixes.js';

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

/** Whose usage the page shows: what is of any of the values of each filter. */
export interface UsageFilter {
  /** Ids of keys. */
  apiKeyId?: string[];
  /** Ids of users and service accounts that created keys. */
  creatorId?: string[];
  model?: string[];
  tag?: string[];
}

/** What usage can be split by. */
export const groupings = ['none', 'model', 'apiKey', 'tag', 'creator'] as const;

/** What tables of groups list. */
export type GroupName = Exclude<(typeof groupings)[number], 'none'>;

/** What tables of groups can be sorted by. */
export type GroupSort = MeasureKey | 'name' | 'change';

/** URL parameters of the usage page. */
export interface UsageSearch extends UsageRange, UsageFilter {
  /** Costs, unless nothing has a price: then requests. */
  measure: MeasureKey;
  groupBy: (typeof groupings)[number];
  /** Which tags to split by, such as "team:"; all by default. */
  tagPrefix?: string;
  /** Sorts the table. By default, it follows the measure. */
  orderBy?: GroupSort;
  order?: 'ASC' | 'DESC';
  /** Page of the table. */
  page: number;
  perPage: number;
}

/** Defaults for missing URL parameters. */
export const usageSearchDefaults = { range: '7d', measure: 'cost', groupBy: 'none', page: 1, perPage: 10 } as const;

/** URL parameters of pages with a section about usage, such as that of a key. They mean the same as on the usage page. */
export interface UsageSectionSearch extends UsageRange {
  measure: 'requests' | 'cost';
}

/** URL parameters of the page of a key. */
export interface ApiKeySearch extends UsageSectionSearch {
  /** Of the requests that the page lists; all by default. */
  requestId?: string;
}

/** Defaults for missing URL parameters of such pages. */
export const usageSectionDefaults = { range: '30d', measure: 'requests' } as const;

/** Clears the filters. */
export const noFilters = { apiKeyId: undefined, creatorId: undefined, model: undefined, tag: undefined };

/** The service's limits. */
const maxDays = 366;
const maxValues = 100;

/** Reads the URL parameters. Invalid values become the defaults. Filters may be a single value or an array. */
export function readUsageSearch(search: Partial<UsageSearch> & SearchSchemaInput): UsageSearch {
  const groupBy = readChoice(search.groupBy, groupings);
  const orderBy = groupSorts.find((sort) => sort === search.orderBy);
  return {
    range: readChoice(search.range, ['7d', '24h', '30d', '90d']),
    ...readDates(search),
    measure: readChoice(search.measure, measureKeys),
    groupBy,
    tagPrefix: groupBy === 'tag' ? readTagPrefix(search.tagPrefix) : undefined,
    apiKeyId: readMany(search.apiKeyId, readId, maxValues),
    creatorId: readMany(search.creatorId, readId, maxValues),
    model: readMany(search.model, readText, maxValues),
    tag: readMany(search.tag, readTag, maxValues),
    orderBy,
    order: orderBy && readChoice<'DESC' | 'ASC'>(search.order, ['DESC', 'ASC']),
    ...readPage(search, usageSearchDefaults),
  };
}

/** Reads the URL parameters of a page with a section about usage. Invalid values become the defaults. */
export function readUsageSectionSearch(search: Partial<UsageSectionSearch> & SearchSchemaInput): UsageSectionSearch {
  return {
    range: readChoice(search.range, ['30d', '24h', '7d', '90d']),
    ...readDates(search),
    measure: readChoice(search.measure, ['requests', 'cost']),
  };
}

/** Reads the URL parameters of the page of a key. */
export function readApiKeySearch(search: Partial<ApiKeySearch> & SearchSchemaInput): ApiKeySearch {
  return { ...readUsageSectionSearch(search), requestId: readText(search.requestId) };
}

const groupSorts: GroupSort[] = ['name', 'change', ...measureKeys];

/** The period alone, for queries that don't depend on other parameters. */
export function rangeOf({ range, month, from, to }: UsageRange): UsageRange {
  return { range, month, from, to };
}

/** A custom range of a single day. */
export function rangeOfDay(day: CalendarDay): Required<Pick<UsageRange, 'from' | 'to'>> & { month: undefined } {
  return { month: undefined, from: day, to: day };
}

/** The filters alone. */
export function filterOf({ apiKeyId, creatorId, model, tag }: UsageFilter): UsageFilter {
  return { apiKeyId, creatorId, model, tag };
}

/** Identifies the usage that is shown, however it's split. */
export function selectionOf(search: UsageRange & UsageFilter): string {
  return JSON.stringify([rangeOf(search), filterOf(search)]);
}

/** Whether some usage may be filtered out. */
export function isFiltered(search: UsageFilter): boolean {
  return Object.values(filterOf(search)).some((values) => values !== undefined);
}

function readDates({ month, from, to }: Partial<UsageRange>): Pick<UsageRange, 'month' | 'from' | 'to'> {
  const valid = readMonth(month);
  return valid === undefined ? readDays(from, to) : { month: valid };
}

function readDays(from: unknown, to: unknown): Pick<UsageSearch, 'from' | 'to'> {
  const [first, last] = [readDay(from), readDay(to)];
  if (first === undefined || last === undefined || first > last) return { from: undefined, to: undefined };
  const isTooLong = countDays(first, last) > maxDays;
  return { from: isTooLong ? dayOf(startOfDay(last, 1 - maxDays)) : first, to: last };
}
