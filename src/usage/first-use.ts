import type { DataSource } from 'typeorm';
import { loadFragment, loadStatement } from '../database/sql-file.js';
import { CalendarDays } from './calendar-days.js';
import type { Grouping } from './dto/usage-query.dto.js';
import { packedTables, type SlotLength } from './history/packed-usage.js';
import { groupOnPage, joinOwnersOnPage, selectedUsage, seriesOnPage } from './usage-groups.js';
import {
  byGrouping,
  forEachLength,
  selectionFragments,
  selectionParameters,
  selectionValues,
  slotValues,
  type UsageSelection,
} from './usage-selection.js';

/** The days in a period on which something was used or cost for the first time; undefined if it wasn't for the first time. */
export interface FirstUse {
  usage?: Date;
  cost?: Date;
}

interface Asked {
  /** As `UsageRow` has them. */
  groups: string[];
  /** Older usage is deleted. */
  keptFrom: Date;
  /** IANA name. Defines days. */
  timeZone: string;
}

interface FirstUseRow {
  group: string;
  usage: Date | null;
  cost: Date | null;
}

const packedUses = (length: SlotLength) => {
  const { name: table, timeOf } = packedTables[length];
  const fragments = { length, table, time: timeOf('packed.start', 'part.slot') };
  return loadFragment('usage/packed-uses.sql', { fragments });
};

const loadFirstUse = (groupBy: Grouping) =>
  loadStatement('usage/first-use.sql', {
    parameters: [...selectionParameters, 'groups'],
    fragments: {
      ...selectionFragments,
      chosen_series: seriesOnPage(groupBy, 'false'),
      group_on_page: groupOnPage(groupBy),
      join_owners: joinOwnersOnPage[groupBy],
      selected_usage: selectedUsage(':from', ':to'),
      packed_uses: forEachLength(packedUses),
    },
  });

export const firstUseStatements = byGrouping(loadFirstUse);

/**
 * Finds when the usage of each group began, if it began within a period: then its totals are of a part of the period. Of the
 * time before, months are read.
 */
export async function readFirstUse(
  dataSource: Pick<DataSource, 'query'>,
  selection: UsageSelection,
  { groups, keptFrom, timeZone }: Asked,
): Promise<Map<string, FirstUse>> {
  const { from, to } = selection.period;
  // Whether something older was used isn't known.
  if (from <= keptFrom || groups.length === 0) return new Map();
  const before = slotValues({ from: keptFrom, to: from, starts: [] }, 'month');
  // UTC days may be others than those of the time zone.
  const { rangeLengths, rangeStarts, firstSlots, endSlots, ...selected } = selectionValues(selection, 'hour');
  const statement = firstUseStatements[selection.groupBy];
  const values = statement.bind({
    ...selected,
    from: keptFrom,
    to,
    rangeLengths: [...before.lengths, ...rangeLengths],
    rangeStarts: [...before.starts, ...rangeStarts],
    firstSlots: [...before.first, ...firstSlots],
    endSlots: [...before.end, ...endSlots],
    groups,
  });
  const rows = await dataSource.query<FirstUseRow[]>(statement.text, values);
  const days = new CalendarDays(timeZone);
  const dayWithin = (time: Date | null) => {
    const day = time && days.startOf(days.numberOf(time));
    return day !== null && day > from ? day : undefined;
  };
  return new Map(
    rows.map((row) => {
      const [usage, cost] = [dayWithin(row.usage), dayWithin(row.cost)];
      return [row.group, { ...(usage && { usage }), ...(cost && { cost }) }];
    }),
  );
}
