import { csvLine } from '@rules/csv-line.js';
import { usageHeader, usageRows } from '@rules/usage-rows.js';
import type { UsageGroup, UsageReport } from '../../../api/schema.js';
import { isoStart } from '../charts/format-interval.js';
import type { UsagePeriod } from '../filters/usage-period.js';
import { dayOf } from '../../../lib/calendar-day.js';

/** The pages of a report, each with other groups. */
export type ReportPages = readonly [UsageReport, ...UsageReport[]];

/** Formats all groups as CSV: a row for each group and interval, with local days or hours. */
export function toReportCsv(pages: ReportPages, interval: UsagePeriod['interval']): string {
  const [first] = pages;
  // Groups can move to the next page while their requests go on.
  const groups = new Map(pages.flatMap((page) => page.groups).map((group) => [keyOf(group), group]));
  const rows = usageRows({ ...first, groups: [...groups.values()], others: undefined });
  const lines = rows.map(([start = '', ...cells]) => [isoStart(start, interval), ...cells]);
  return [usageHeader(first.groupBy), ...lines].map(csvLine).join('');
}

/** Returns the name of the file, with the grouping and the days. */
export function reportFileName(
  groupBy: UsageReport['groupBy'],
  { from, to }: Pick<UsagePeriod, 'from' | 'to'>,
): string {
  const grouping = { none: [], apiKey: ['by-key'], model: ['by-model'], tag: ['by-tag'], creator: ['by-person'] }[
    groupBy
  ];
  const days = new Set([dayOf(from), dayOf(new Date(to.getTime() - 1))]);
  return `${['usage', ...grouping, ...days].join('-')}.csv`;
}

function keyOf({ apiKey, model, tag, creator }: UsageGroup): string {
  return JSON.stringify([apiKey?.id, model, tag, creator?.id]);
}
