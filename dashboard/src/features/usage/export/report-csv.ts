import { csvLine } from '@rules/csv-line.js';
import { usageHeader, usageRows } from '@rules/usage-rows.js';
import type { UsageGroup, UsageReport } from '../../../api/schema.js';
import { isoStart, type Steps } from '../charts/format-interval.js';
import type { UsagePeriod } from '../filters/usage-period.js';
import { dayAt } from '../../../lib/time-zone.js';
import { columnLabels } from './column-labels.js';

/** Without it, Excel reads UTF-8 as another encoding. */
const byteOrderMark = '\ufeff';

/** The pages of a report, each with other groups. */
export type ReportPages = readonly [UsageReport, ...UsageReport[]];

/**
 * Formats all groups as CSV for spreadsheets: a row for each group and interval, with the days or hours of the report's time
 * zone, and the labels of the page instead of the API's names.
 */
export function toReportCsv(pages: ReportPages, steps: Steps): string {
  const [first] = pages;
  // Groups can move to the next page while their requests go on.
  const groups = new Map(pages.flatMap((page) => page.groups).map((group) => [keyOf(group), group]));
  const rows = usageRows({ ...first, groups: [...groups.values()], others: undefined });
  const lines = rows.map(([start = '', ...cells]) => [isoStart(start, steps), ...cells]);
  const labels = columnLabels(first);
  const header = usageHeader(first.groupBy).map((name) => labels[name]);
  const table = [header, ...lines].map((cells) => cells.filter((_cell, index) => header[index] !== ''));
  return byteOrderMark + table.map(csvLine).join('');
}

/** Returns the name of the file, with the grouping and the days. */
export function reportFileName(
  groupBy: UsageReport['groupBy'],
  { from, to, timeZone }: Pick<UsagePeriod, 'from' | 'to' | 'timeZone'>,
): string {
  const grouping = { none: [], apiKey: ['by-key'], model: ['by-model'], tag: ['by-tag'], creator: ['by-person'] }[
    groupBy
  ];
  const days = new Set([dayAt(timeZone, from), dayAt(timeZone, new Date(to.getTime() - 1))]);
  return `${['usage', ...grouping, ...days].join('-')}.csv`;
}

function keyOf({ apiKey, model, tag, creator }: UsageGroup): string {
  return JSON.stringify([apiKey?.id, model, tag, creator?.id]);
}
