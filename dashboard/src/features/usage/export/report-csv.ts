import { csvLine } from '@rules/csv-line.js';
import { usageHeader, usageRows } from '@rules/usage-rows.js';
import type { UsageGroup, UsageReport } from '../../../api/schema.js';
import { isoStart, type Steps } from '../charts/format-interval.js';
import { labelGroups } from '../charts/series.js';
import type { UsagePeriod } from '../filters/usage-period.js';
import { dayAt } from '../../../lib/time-zone.js';
import type { UsageFilter } from '../search.js';
import { labelOfDeduction } from '../tag-prefixes.js';
import { columnLabels, timeLabels } from './column-labels.js';
import { type AllUsage, deductRepeats } from './deduct-repeats.js';

/** Without it, Excel reads UTF-8 as another encoding. */
const byteOrderMark = '\ufeff';

/** The pages of a report, each with other groups. */
export type ReportPages = readonly [UsageReport, ...UsageReport[]];

/**
 * Formats all groups as CSV for spreadsheets: a row for each group and interval, with the days or hours of the report's time
 * zone, and the labels of the page instead of the API's names. Sums of the rows are the totals of the page.
 *
 * @param tagPrefix of the tags that are groups
 * @param all what tags may count repeatedly
 */
export function toReportCsv(pages: ReportPages, steps: Steps, tagPrefix?: string, all?: AllUsage): string {
  const [first] = pages;
  // Groups can move to the next page while their requests go on.
  const groups = [...new Map(pages.flatMap((page) => page.groups).map((group) => [keyOf(group), group])).values()];
  const deduction = all && deductRepeats(groups, all, labelOfDeduction(tagPrefix));
  const shown = [...toShown(groups, first.groupBy, tagPrefix), ...(deduction ? [deduction] : [])];
  const lines = shown.flatMap((group) =>
    usageRows({ ...first, groups: [group], others: undefined }).map(([start = '', ...cells]) => [
      ...[isoStart(start, steps), ...cells],
      ...times.map((name) => String(group.totals[name] ?? '')),
    ]),
  );
  const labels = columnLabels(first);
  const header = [
    ...usageHeader(first.groupBy).map((name) => labels[name]),
    ...times.map((name) => `Whole range: ${timeLabels[name]}`),
  ];
  const table = [header, ...lines].map((cells) => cells.filter((_cell, index) => header[index] !== ''));
  return byteOrderMark + table.map(csvLine).join('');
}

const times = ['medianMilliseconds', 'p95Milliseconds', 'p99Milliseconds', 'firstTokenMilliseconds'] as const;

/** Names groups without a model, tag or creator as on the page, and adds zeros. */
function toShown(groups: readonly UsageGroup[], groupBy: UsageReport['groupBy'], tagPrefix: string | undefined) {
  const labelled = labelGroups({ groupBy, groups: [...groups] }, tagPrefix);
  return groups.map((group, index): UsageGroup => {
    const label = labelled[index]?.label ?? '';
    return { ...withZeros(group), ...nameOf(group, groupBy, label) };
  });
}

function nameOf({ creator }: UsageGroup, groupBy: UsageReport['groupBy'], label: string): Partial<UsageGroup> {
  if (groupBy === 'creator') return { creator: { id: '', kind: 'unknown', ...creator, name: label } };
  return groupBy === 'model' || groupBy === 'tag' ? { [groupBy]: label } : {};
}

/** A day or hour without requests costs nothing, unless the group has no price. */
function withZeros({ points, ...group }: UsageGroup): UsageGroup {
  if (group.totals.cost === null) return { ...group, points };
  return {
    ...group,
    points: points.map((point) => (point.cost === null && point.requests === 0 ? { ...point, cost: '0' } : point)),
  };
}

/** Returns the name of the file, with the grouping, the prefix of tags, what is filtered by and the days. */
export function reportFileName(
  groupBy: UsageReport['groupBy'],
  { from, to, timeZone }: Pick<UsagePeriod, 'from' | 'to' | 'timeZone'>,
  tagPrefix = '',
  filter: UsageFilter = {},
): string {
  const grouping = { none: [], apiKey: ['by-key'], model: ['by-model'], tag: ['by-tag'], creator: ['by-person'] }[
    groupBy
  ];
  const days = new Set([dayAt(timeZone, from), dayAt(timeZone, new Date(to.getTime() - 1))]);
  return `${['usage', ...grouping, ...wordsOf(tagPrefix), ...nameFilter(filter), ...days].join('-')}.csv`;
}

/** Such as "1-key" and "tag-team-finance". Names of keys and people aren't known here. */
function nameFilter({ apiKeyId = [], creatorId = [], model = [], tag = [] }: UsageFilter): string[] {
  return [
    ...(apiKeyId.length > 0 ? [`${apiKeyId.length}-${apiKeyId.length === 1 ? 'key' : 'keys'}`] : []),
    ...(creatorId.length > 0 ? [`${creatorId.length}-${creatorId.length === 1 ? 'person' : 'people'}`] : []),
    ...nameValues('model', model),
    ...nameValues('tag', tag),
  ];
}

function nameValues(kind: string, values: readonly string[]): string[] {
  const [first, ...others] = values;
  if (first === undefined) return [];
  return others.length === 0 ? [kind, ...wordsOf(first)] : [`${values.length}-${kind}s`];
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

function keyOf({ apiKey, model, tag, creator }: UsageGroup): string {
  return JSON.stringify([apiKey?.id, model, tag, creator?.id]);
}
