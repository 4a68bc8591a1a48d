import { csvLine } from '../common/rules/csv-line.js';
import { meters } from '../common/rules/meters.js';
import type { UsageGroupDto, UsageReportDto, UsageSeriesDto, UsageTotalsDto } from './dto/usage-report.dto.js';

/** A column of the file. */
type Column<Value> = [name: string, read: (value: Value) => string];

const groupColumns = {
  apiKey: [
    ['apiKeyId', ({ apiKey }) => apiKey?.id ?? ''],
    ['apiKeyName', ({ apiKey }) => apiKey?.name ?? ''],
    ['apiKeyHint', ({ apiKey }) => apiKey?.hint ?? ''],
  ],
  model: [['model', ({ model }) => model ?? '']],
  none: [],
} as const satisfies Record<UsageReportDto['groupBy'], Column<UsageGroupDto>[]>;

const totalsColumns: Column<UsageTotalsDto>[] = [
  ['requests', ({ requests }) => String(requests)],
  ['failures', ({ failures }) => String(failures)],
  ['limited', ({ limited }) => String(limited)],
  ['unpricedRequests', ({ unpricedRequests }) => String(unpricedRequests)],
  ['cost', ({ cost }) => cost ?? ''],
  ['medianMilliseconds', ({ medianMilliseconds }) => String(medianMilliseconds ?? '')],
  ['p95Milliseconds', ({ p95Milliseconds }) => String(p95Milliseconds ?? '')],
  ['p99Milliseconds', ({ p99Milliseconds }) => String(p99Milliseconds ?? '')],
  // Last, so that a further meter moves no other column.
  ...meters.map(({ name }): Column<UsageTotalsDto> => [name, (totals) => String(totals[name])]),
];

/** A CSV file with the points of a report, or with its totals if it has no points. */
export function toUsageCsv({ from, groupBy, groups, others }: UsageReportDto): string {
  const columns: Column<UsageGroupDto>[] = groupColumns[groupBy];
  const header = ['start', ...columns.map(([name]) => name), ...totalsColumns.map(([name]) => name)];
  // Name cells of `others` stay empty.
  const all: UsageGroupDto[] = others === undefined ? groups : [...groups, others];
  const rows = all.flatMap((group) =>
    pointsOf(group, from).map(({ start, ...totals }) => [
      start,
      ...columns.map(([, read]) => read(group)),
      ...totalsColumns.map(([, read]) => read(totals)),
    ]),
  );
  return [header, ...rows].map(csvLine).join('');
}

/** The points of a series. Totals are the only point of a period without intervals. */
function pointsOf({ totals, points }: UsageSeriesDto, from: string) {
  return points.length > 0 ? points : [{ start: from, ...totals }];
}
