import { meters } from '@rules/meters.js';
import type { UsageGroup, UsagePoint, UsageReport } from '../../../api/schema.js';
import { toBillionths, toDecimal } from '../../../lib/money.js';
import { noUsage } from '../usage-totals.js';

/** Requests that arrive while a report is read are in some of its parts only. */
const runningShare = 0.01;

const counts = [
  ...(['requests', 'failures', 'limited', 'unpricedRequests'] as const),
  ...meters.map(({ name }) => name),
];

/** The usage of all tags. */
export interface AllUsage {
  /** The same intervals, with each request counted once. */
  report: Pick<UsageReport, 'groups'>;
  /** Whether the last interval isn't over. */
  isRunning: boolean;
}

/**
 * Returns negative amounts for the usage that several tags count, so that sums of a file by tag are those of the page, which
 * has each request once; undefined if no usage is counted repeatedly.
 *
 * @param label names the amounts, instead of a tag
 */
export function deductRepeats(
  groups: readonly UsageGroup[],
  { report, isRunning }: AllUsage,
  label: string,
): UsageGroup | undefined {
  const totals = report.groups[0]?.points ?? [];
  const points = totals.flatMap((total, index) => {
    const deduction = deductionOf(
      total,
      groups.flatMap(({ points }) => points[index] ?? []),
    );
    const tolerated = isRunning && index === totals.length - 1 ? runningShare * countOf(total) : 0;
    return isZero(deduction) || -countOf(deduction) < tolerated ? [] : deduction;
  });
  return points.length === 0 ? undefined : { tag: label, totals: noUsage, points };
}

function deductionOf(total: UsagePoint, groups: readonly UsagePoint[]): UsagePoint {
  const amounts = counts.map((name) => [name, groups.reduce((rest, point) => rest - point[name], total[name])]);
  const cost = groups.reduce((rest, point) => rest - toBillionths(point.cost ?? '0'), toBillionths(total.cost ?? '0'));
  return {
    ...noUsage,
    ...(Object.fromEntries(amounts) as Pick<UsagePoint, (typeof counts)[number]>),
    start: total.start,
    cost: total.cost === null ? null : cost < 0n ? `-${toDecimal(-cost)}` : toDecimal(cost),
  };
}

const countOf = ({ requests, limited }: UsagePoint) => requests + limited;

function isZero(point: UsagePoint): boolean {
  return counts.every((name) => point[name] === 0);
}
