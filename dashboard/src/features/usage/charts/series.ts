import type { UsageGroup, UsagePoint, UsageReport, UsageTotals } from '../../../api/schema.js';
import type { Measure, ReadMeasure } from '../measures.js';

/** One line or bar color of a chart. */
export interface Series {
  /** Selects the color. */
  key: string;
  label: string;
  /** One for each interval; null if nothing was measured. */
  values: (number | null)[];
  /** For the whole range. */
  total: number | null;
  /** Set if numbers can't hold the values exactly. */
  exact?: (string | null)[];
}

/** The data of a chart, its table and its CSV file. */
export interface Chart {
  /** Part of the CSV file name, such as "requests-by-key". */
  name: string;
  title: string;
  /** The start of each interval; ISO 8601. */
  starts: string[];
  series: Series[];
}

/** Color of all others combined. */
export const othersKey = 'series-others';
export const failedKey = 'series-failed';

/** A key, a model, a tag, all others combined, or all usage. */
export interface LabelledGroup {
  /** Selects the color. */
  key: string;
  label: string;
  apiKeyId?: string;
  model?: string;
  tag?: string;
  /** Requests rejected by a limit, whose model isn't known: they are rejected before their body is read. */
  isRejected?: true;
  totals: UsageTotals;
  points: UsagePoint[];
}

/** The models of a report whose latency was measured. All others combined are left out: they'd mix models. */
export function measuredModels(byModel: Pick<UsageReport, 'groups'>): LabelledGroup[] {
  const groups = byModel.groups.filter(({ totals }) => totals.requests > 0);
  return labelGroups({ groupBy: 'model', groups });
}

/** Adds labels to the groups of a report. All others combined come last. */
export function labelGroups({
  groupBy,
  groups,
  others,
}: Pick<UsageReport, 'groupBy' | 'groups' | 'others'>): LabelledGroup[] {
  const names = groups.map(({ apiKey }) => apiKey?.name);
  const labelled = groups.map(({ apiKey, model, tag, totals, points }, index): LabelledGroup => {
    const isRejected = groupBy === 'model' && model === undefined;
    return {
      key: `series-${index + 1}`,
      label: isRejected
        ? 'Unknown (rejected by a limit)'
        : groupBy === 'tag'
          ? (tag ?? 'No tag')
          : labelOf({ apiKey, model }, names),
      ...(apiKey && { apiKeyId: apiKey.id }),
      ...(model !== undefined && { model }),
      ...(tag !== undefined && { tag }),
      ...(isRejected && { isRejected }),
      totals,
      points,
    };
  });
  if (others === undefined) return labelled;
  const { groupCount, totals, points } = others;
  const label = groupCount === 1 ? '1 other' : `${groupCount} others`;
  return [...labelled, { key: othersKey, label, totals, points }];
}

/** Returns the label of a group. Keys with the same name are distinguished by their hint. */
export function labelOf(
  { apiKey, model }: Pick<UsageGroup, 'apiKey' | 'model'>,
  names: readonly (string | undefined)[],
): string {
  if (apiKey === undefined) return model ?? 'All';
  const { name, hint, isDeleted } = apiKey;
  const isShared = names.filter((other) => other === name).length > 1;
  return `${name}${isShared ? ` (${hint}…)` : ''}${isDeleted ? ' (deleted)' : ''}`;
}

/** Creates the chart of a measure, with a series for each group or, with `groupBy: 'none'`, for all usage. */
export function toChart(measure: Measure, groups: readonly LabelledGroup[], groupBy: UsageReport['groupBy']): Chart {
  const { key, groupedKey = key, title, groupedTitle = title, read, ungrouped = [{ label: title, read }] } = measure;
  const { readExact } = measure;
  const [first] = groups;
  const starts = first?.points.map(({ start }) => start) ?? [];
  if (groupBy !== 'none' || first === undefined) {
    const name = groupBy === 'none' ? key : `${groupedKey}-by-${groupBy === 'apiKey' ? 'key' : groupBy}`;
    const shown = groups.filter(({ isRejected }) => isRejected !== true || key === 'failures');
    const series = shown.map((group) => toSeries(group, group.key, group.label, read, readExact));
    return { name, title: groupedTitle, starts, series };
  }
  const series = ungrouped.map((one, index) =>
    toSeries(first, one.key ?? `series-${index + 1}`, one.label, one.read, readExact),
  );
  return { name: key, title, starts, series };
}

function toSeries(
  { totals, points }: LabelledGroup,
  key: string,
  label: string,
  read: ReadMeasure,
  readExact: Measure['readExact'],
): Series {
  const exact = readExact && points.map(readExact);
  return { key, label, values: points.map(read), total: read(totals), ...(exact && { exact }) };
}

/** Whether the series has values above zero. */
export function isShown({ values }: Series): boolean {
  return values.some((value) => value !== null && value > 0);
}

/** Whether the chart has values above zero. */
export function hasValues({ series }: Chart): boolean {
  return series.some(isShown);
}
