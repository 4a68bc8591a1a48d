/** The columns of usage in CSV files. Shared with the dashboard, so no dependencies. */
import { type MeterName, meters } from './meters.js';

type GroupColumnName = 'apiKeyId' | 'apiKeyName' | 'apiKeyHint' | 'model' | 'tag' | 'creatorId' | 'creatorName';

export type UsageColumnName = 'start' | GroupColumnName | keyof Totals | 'currency';

interface Totals extends Readonly<Record<MeterName, number>> {
  readonly requests: number;
  readonly failures: number;
  readonly limited: number;
  readonly unpricedRequests: number;
  /** An exact decimal. */
  readonly cost: string | null;
  readonly medianMilliseconds: number | null;
  readonly p95Milliseconds: number | null;
  readonly p99Milliseconds: number | null;
  readonly firstTokenMilliseconds: number | null;
}

interface Series {
  readonly totals: Totals;
  readonly points: readonly (Totals & { readonly start: string })[];
}

interface Group extends Series {
  readonly apiKey?: { readonly id: string; readonly name: string; readonly hint: string };
  readonly model?: string;
  readonly tag?: string;
  readonly creator?: { readonly id: string; readonly name: string | null };
}

interface Report {
  readonly from: string;
  readonly groupBy: 'apiKey' | 'model' | 'tag' | 'creator' | 'none';
  readonly currency: string;
  readonly groups: readonly Group[];
  readonly others?: Series;
}

/** A column of the file. */
type Column<Value> = [name: UsageColumnName, read: (value: Value) => string];

const groupColumns: Record<Report['groupBy'], Column<Group>[]> = {
  apiKey: [
    ['apiKeyId', ({ apiKey }) => apiKey?.id ?? ''],
    ['apiKeyName', ({ apiKey }) => apiKey?.name ?? ''],
    ['apiKeyHint', ({ apiKey }) => apiKey?.hint ?? ''],
  ],
  model: [['model', ({ model }) => model ?? '']],
  tag: [['tag', ({ tag }) => tag ?? '']],
  creator: [
    ['creatorId', ({ creator }) => creator?.id ?? ''],
    ['creatorName', ({ creator }) => creator?.name ?? ''],
  ],
  none: [],
};

const totalsColumns: Column<Totals & { readonly currency: string }>[] = [
  ['requests', ({ requests }) => String(requests)],
  ['failures', ({ failures }) => String(failures)],
  ['limited', ({ limited }) => String(limited)],
  ['unpricedRequests', ({ unpricedRequests }) => String(unpricedRequests)],
  ['cost', ({ cost }) => cost ?? ''],
  ['currency', ({ currency }) => currency],
  ['medianMilliseconds', ({ medianMilliseconds }) => String(medianMilliseconds ?? '')],
  ['p95Milliseconds', ({ p95Milliseconds }) => String(p95Milliseconds ?? '')],
  ['p99Milliseconds', ({ p99Milliseconds }) => String(p99Milliseconds ?? '')],
  ['firstTokenMilliseconds', ({ firstTokenMilliseconds }) => String(firstTokenMilliseconds ?? '')],
  // Last, so that a further meter moves no other column.
  ...meters.map(({ name }): Column<Totals> => [name, (totals) => String(totals[name])]),
];

/** The names of the columns. */
export function usageHeader(groupBy: Report['groupBy']): UsageColumnName[] {
  return ['start', ...groupColumns[groupBy].map(([name]) => name), ...totalsColumns.map(([name]) => name)];
}

/** A row for each point of a report, or for the totals of each group if it has no points. */
export function usageRows({ from, groupBy, currency, groups, others }: Report): string[][] {
  const columns = groupColumns[groupBy];
  // Name cells of `others` stay empty.
  const all: readonly Group[] = others === undefined ? groups : [...groups, others];
  return all.flatMap((group) =>
    pointsOf(group, from).map(({ start, ...totals }) => [
      start,
      ...columns.map(([, read]) => read(group)),
      ...totalsColumns.map(([, read]) => read({ ...totals, currency })),
    ]),
  );
}

/** Totals are the only point of a period without intervals. */
function pointsOf({ totals, points }: Series, from: string) {
  return points.length > 0 ? points : [{ start: from, ...totals }];
}
