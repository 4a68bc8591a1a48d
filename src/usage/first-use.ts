import type { DataSource } from 'typeorm';
import { readUsage, type UsageRow } from './read-usage.js';
import { toUsagePeriod, type UsagePeriod } from './usage-period.js';
import type { UsageSelection } from './usage-selection.js';

/** The days in a period on which something was used or cost for the first time; undefined if it wasn't for the first time. */
export interface FirstUse {
  usage?: Date;
  cost?: Date;
}

interface Asked {
  /** Older usage is deleted. */
  keptFrom: Date;
  /** IANA name. Defines days. */
  timeZone: string;
  now: Date;
}

/** All groups together. */
const whole = { groups: [''], otherCount: 0 };

const isUsed = ({ requests, limited }: UsageRow) => Number(requests) + Number(limited) > 0;
const hasCost = ({ pricedRequests }: UsageRow) => Number(pricedRequests) > 0;

/**
 * Finds when usage began, if it began within a period: then its totals are of a part of the period. Days are read only if
 * there is nothing before.
 */
export async function readFirstUse(
  dataSource: DataSource,
  selection: UsageSelection,
  { keptFrom, timeZone, now }: Asked,
): Promise<FirstUse> {
  const { from, to } = selection.period;
  // Whether something older was used isn't known.
  if (from <= keptFrom) return {};
  const read = (period: UsagePeriod) => readUsage(dataSource, { ...selection, groupBy: 'none', period }, whole);
  const before = await read(toUsagePeriod({ from: keptFrom, to: from, interval: 'none', timeZone }, now));
  if (before.some(hasCost)) return {};
  const days = await read(toUsagePeriod({ from, to, interval: 'day', timeZone }, now));
  const [usage, cost] = [before.some(isUsed) ? undefined : firstDay(days, isUsed), firstDay(days, hasCost)];
  return { ...(usage && usage > from && { usage }), ...(cost && cost > from && { cost }) };
}

function firstDay(rows: readonly UsageRow[], condition: (row: UsageRow) => boolean): Date | undefined {
  const starts = rows.flatMap((row) => (row.start !== null && condition(row) ? row.start : []));
  return starts.sort((one, other) => one.getTime() - other.getTime())[0];
}
