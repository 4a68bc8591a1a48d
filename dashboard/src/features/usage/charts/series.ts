import type { UsageGroup, UsagePoint, UsageReport, UsageTotals } from '../../../api/schema.js';
import type { Measure } from '../measures.js';

/** One line, or one colour, of a chart. */
export interface Series {
  /** Names the colour. */
  key: string;
  label: string;
  /** One for each interval; null where nothing was measured. */
  values: (number | null)[];
  /** Of the whole range. */
  total: number | null;
}

/** What a chart, its table and its file show. */
export interface Chart {
  title: string;
  /** When each interval begins; ISO 8601. */
  starts: string[];
  series: Series[];
}

/** A key, a model, all that are not shown one by one, or simply everything. */
export interface LabelledGroup {
  /** Names the colour. */
  key: string;
  label: string;
  apiKeyId?: string;
  model?: string;
  totals: UsageTotals;
  points: UsagePoint[];
}

/** The groups of a report with names to show; the others, if any, last. */
export function labelGroups({ groups, others }: Pick<UsageReport, 'groups' | 'others'>): LabelledGroup[] {
  const names = groups.map(({ apiKey }) => apiKey?.name);
  const labelled = groups.map(({ apiKey, model, totals, points }, index) => ({
    key: `series-${index + 1}`,
    label: labelOf({ apiKey, model }, names),
    ...(apiKey && { apiKeyId: apiKey.id }),
    ...(model !== undefined && { model }),
    totals,
    points,
  }));
  if (others === undefined) return labelled;
  const { groupCount, totals, points } = others;
  const label = groupCount === 1 ? '1 other' : `${groupCount} others`;
  return [...labelled, { key: 'series-others', label, totals, points }];
}

/** The name of a group; a key that shares its name is told apart by how it begins. */
export function labelOf(
  { apiKey, model }: Pick<UsageGroup, 'apiKey' | 'model'>,
  names: readonly (string | undefined)[],
): string {
  if (apiKey === undefined) return model ?? 'All';
  const { name, hint, isDeleted } = apiKey;
  const isShared = names.filter((other) => other === name).length > 1;
  return `${name}${isShared ? ` (${hint}…)` : ''}${isDeleted ? ' (deleted)' : ''}`;
}

/** What a chart shows of a measure: of each group, or of everything where nothing is grouped. */
export function toChart(measure: Measure, groups: readonly LabelledGroup[], isGrouped: boolean): Chart {
  const { title, read, readLabel, companion } = measure;
  const [first] = groups;
  const starts = first?.points.map(({ start }) => start) ?? [];
  if (isGrouped || first === undefined) {
    const series = groups.map((group) => toSeries(group, group.key, group.label, read));
    return { title: readLabel === undefined ? title : `${title}, ${readLabel}`, starts, series };
  }
  const main = toSeries(first, 'series-1', readLabel ?? title, read);
  const beside = companion === undefined ? [] : [toSeries(first, 'series-2', companion.label, companion.read)];
  return { title, starts, series: [main, ...beside] };
}

function toSeries({ totals, points }: LabelledGroup, key: string, label: string, read: Measure['read']): Series {
  return { key, label, values: points.map(read), total: read(totals) };
}

/** Whether there is anything to see of it. */
export function isShown({ values }: Series): boolean {
  return values.some((value) => value !== null && value > 0);
}

/** Whether there is anything to see in the chart. */
export function hasValues({ series }: Chart): boolean {
  return series.some(isShown);
}
