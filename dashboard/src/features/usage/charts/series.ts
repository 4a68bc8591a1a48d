import type { UsageGroup, UsagePoint, UsageReport, UsageTotals } from '../../../api/schema.js';
import type { Measure, ReadMeasure } from '../measures.js';
import { labelWithoutTag } from '../tag-prefixes.js';

/** One line or bar color of a chart. */
export interface Series {
  /** Selects the color. */
  key: string;
  label: string;
  /** One for each interval; null if nothing was measured. */
  values: (number | null)[];
  /** For the whole range. */
  total: number | null;
}

/** The data of a chart and its table. */
export interface Chart {
  title: string;
  /** The start of each interval; ISO 8601. */
  starts: string[];
  series: Series[];
  /** Whether the series have nothing in common, so that they can be stacked. */
  addsUp: boolean;
}

/** Color of all others combined. */
export const othersKey = 'series-others';
export const failedKey = 'series-failed';
/** Of the row with the total of a table, which has no color. */
export const totalKey = 'total';

/** A key, a model, a tag, a creator, all others combined, or all usage. */
export interface LabelledGroup {
  /** Selects the color. */
  key: string;
  label: string;
  apiKeyId?: string;
  model?: string;
  tag?: string;
  creator?: NonNullable<UsageGroup['creator']>;
  /** Requests rejected by a limit, whose model isn't known: they are rejected before their body is read. */
  isRejected?: true;
  totals: UsageTotals;
  /** In the period before, if it's compared. */
  previousTotals?: UsageTotals;
  /** When its usage and costs began, if within that period; ISO 8601. */
  comparedUsageFrom?: string;
  comparedCostFrom?: string;
  points: UsagePoint[];
}

/**
 * Adds labels to the groups of a report. All others combined come last.
 *
 * @param tagPrefix of the tags that are groups
 */
export function labelGroups(
  { groupBy, groups, others }: Pick<UsageReport, 'groupBy' | 'groups' | 'others'>,
  tagPrefix?: string,
): LabelledGroup[] {
  const names = groups.map(({ apiKey }) => apiKey?.name);
  const labelled = groups.map(({ apiKey, model, tag, creator, ...usage }, index): LabelledGroup => {
    const isRejected = groupBy === 'model' && model === undefined;
    return {
      key: `series-${index + 1}`,
      label: labelOf(groupBy, { apiKey, model, tag, creator }, names, tagPrefix),
      ...(apiKey && { apiKeyId: apiKey.id }),
      ...(model !== undefined && { model }),
      ...(tag !== undefined && { tag }),
      ...(creator && { creator }),
      ...(isRejected && { isRejected }),
      ...usage,
    };
  });
  if (others === undefined) return labelled;
  const { groupCount, totals, points } = others;
  const label = groupCount === 1 ? '1 other' : `${groupCount} others`;
  return [...labelled, { key: othersKey, label, totals, points }];
}

/** Returns the label of a group. */
function labelOf(
  groupBy: UsageReport['groupBy'],
  { apiKey, model, tag, creator }: Pick<UsageGroup, 'apiKey' | 'model' | 'tag' | 'creator'>,
  names: readonly (string | undefined)[],
  tagPrefix: string | undefined,
): string {
  switch (groupBy) {
    case 'apiKey':
      return apiKey === undefined ? '' : labelOfKey(apiKey, names);
    case 'model':
      return model ?? 'Unknown (rejected by a limit)';
    case 'tag':
      return tag ?? labelWithoutTag(tagPrefix);
    case 'creator':
      return creator === undefined ? 'Unknown creator' : labelOfCreator(creator);
    case 'none':
      return 'All';
  }
}

/** Keys with the same name are distinguished by their hint. */
export function labelOfKey(
  { name, hint, isDeleted }: NonNullable<UsageGroup['apiKey']>,
  names: readonly (string | undefined)[],
): string {
  const isShared = names.filter((other) => other === name).length > 1;
  return `${name}${isShared ? ` (${hint}…)` : ''}${isDeleted ? ' (deleted)' : ''}`;
}

function labelOfCreator({ name, kind }: NonNullable<UsageGroup['creator']>): string {
  if (name === null) return kind === 'unknown' ? 'Deleted account' : 'Hidden name';
  return kind === 'former-member' ? `${name} (removed)` : name;
}

/** The avatar of a creator, whose initials are those of the name without remarks such as "(removed)". */
export function avatarOf(creator: NonNullable<UsageGroup['creator']>): {
  id: string;
  name: string;
  isProgram: boolean;
} {
  const { id, name, kind } = creator;
  return { id, name: name ?? labelOfCreator(creator), isProgram: kind === 'service-account' };
}

/**
 * Creates the chart of a measure, with a series for each group or, with `groupBy: 'none'`, for all usage.
 *
 * @param countsOnce whether each request counts in one group at most
 */
export function toChart(
  measure: Measure,
  groups: readonly LabelledGroup[],
  groupBy: UsageReport['groupBy'],
  countsOnce = groupBy !== 'tag',
): Chart {
  const { key, title, read, ungrouped = [{ label: title, read }] } = measure;
  const [first] = groups;
  const starts = first?.points.map(({ start }) => start) ?? [];
  if (first !== undefined && (groupBy === 'none' || isOnlyModel(measure, groups))) {
    const series = ungrouped.map((one, index) =>
      toSeries(first, one.key ?? `series-${index + 1}`, one.label, one.read),
    );
    return { title, starts, series, addsUp: measure.kind !== 'latency' };
  }
  const shown = groups.filter(
    // All others combined would mix the times of models.
    (group) =>
      (group.isRejected !== true || key === 'limited') && (measure.kind !== 'latency' || group.key !== othersKey),
  );
  return {
    title,
    starts,
    series: shown.map((group) => toSeries(group, group.key, group.label, read)),
    addsUp: measure.kind !== 'latency' && countsOnce,
  };
}

/** A single model shows all percentiles. */
function isOnlyModel({ kind }: Measure, groups: readonly LabelledGroup[]): boolean {
  return kind === 'latency' && groups.length === 1 && groups[0]?.model !== undefined;
}

function toSeries({ totals, points }: LabelledGroup, key: string, label: string, read: ReadMeasure): Series {
  return { key, label, values: points.map(read), total: read(totals) };
}

/** Whether the series has values above zero. */
export function isShown({ values }: Series): boolean {
  return values.some((value) => value !== null && value > 0);
}

/** Whether the chart has values above zero. */
export function hasValues({ series }: Chart): boolean {
  return series.some(isShown);
}
