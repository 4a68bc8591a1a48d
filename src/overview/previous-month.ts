import type { DataSource } from 'typeorm';
import { loadFragment, loadStatement } from '../database/sql-file.js';
import { readFirstUse } from '../usage/first-use.js';
import { allKeys, packedTables, type SlotLength } from '../usage/history/packed-usage.js';
import { toUsagePeriod, type UsagePeriod } from '../usage/usage-period.js';
import { forEachLength, slotValues } from '../usage/usage-selection.js';
import type { PreviousMonthDto } from './dto/recent-usage.dto.js';
import { noUsage, shownColumns, type SumsRow, toSums } from './recent-usage.js';

const packedSums = (length: SlotLength) =>
  loadFragment('overview/packed-sums.sql', {
    fragments: { length, table: packedTables[length].name, all_keys: allKeys },
    lists: shownColumns,
  });

/** Exported for the test that compares it with the schema. */
export const selectPreviousMonth = loadStatement('overview/previous-month.sql', {
  parameters: [
    ...(['organizationId', 'keptFrom', 'from', 'to'] as const),
    ...(['rangeLengths', 'rangeStarts', 'firstSlots', 'endSlots', 'areBefore'] as const),
  ],
  fragments: { packed_sums: forEachLength(packedSums) },
  lists: shownColumns,
});

interface PreviousRow extends SumsRow {
  isBefore: boolean;
  limited: string;
}

interface Asked {
  organizationId: string;
  /** IANA name. */
  timeZone: string;
  now: Date;
  /** Older usage is deleted. */
  keptFrom: Date;
}

/**
 * Reads the part of the previous month that the current one is compared with, as `GET /usage` does; undefined if some of its
 * usage is deleted. One statement reads a few packed rows; another follows if usage or costs may have begun in that month.
 */
export async function readPreviousMonth(
  dataSource: Pick<DataSource, 'query'>,
  requested: Pick<UsagePeriod, 'from' | 'to'>,
  { organizationId, timeZone, now, keptFrom }: Asked,
): Promise<PreviousMonthDto | undefined> {
  // They are the same exactly when a month begins.
  if (requested.from < keptFrom || requested.from >= requested.to) return undefined;
  const period = toUsagePeriod({ ...requested, interval: 'none', timeZone }, now);
  const { from, to } = period;
  const [before, part] = [slotValues({ from: keptFrom, to: from, starts: [] }, 'month'), slotValues(period, 'month')];
  const values = selectPreviousMonth.bind({
    ...{ organizationId, keptFrom, from, to },
    rangeLengths: [...before.lengths, ...part.lengths],
    rangeStarts: [...before.starts, ...part.starts],
    firstSlots: [...before.first, ...part.first],
    endSlots: [...before.end, ...part.end],
    areBefore: [...before.lengths.map(() => true), ...part.lengths.map(() => false)],
  });
  const rows = await dataSource.query<PreviousRow[]>(selectPreviousMonth.text, values);
  const [earlier, sums] = [rows.find(({ isBefore }) => isBefore), rows.find(({ isBefore }) => !isBefore)];
  const mayHaveBegun = isUsed(sums) && !(isUsed(earlier) && Number(earlier?.pricedRequests) > 0);
  const asked = { groups: [''], keptFrom, timeZone };
  const starts = mayHaveBegun
    ? await readFirstUse(dataSource, { organizationId, groupBy: 'none', period }, asked)
    : undefined;
  const { usage, cost } = starts?.get('') ?? {};
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    totals: sums === undefined ? noUsage : toSums(sums),
    ...(usage && { usageFrom: usage.toISOString() }),
    ...(cost && { costFrom: cost.toISOString() }),
  };
}

function isUsed(row: PreviousRow | undefined): boolean {
  return row !== undefined && Number(row.requests) + Number(row.limited) > 0;
}
