import type { DataSource } from 'typeorm';
import { loadFragment, loadStatement } from '../database/sql-file.js';
import type { Grouping } from './dto/usage-query.dto.js';
import type { GroupPage } from './find-groups.js';
import { columnLists, joinParts, packedTables, type SlotLength } from './history/packed-usage.js';
import type { UsageColumnName } from './usage-columns.js';
import { groupOnPage, joinOwnersOnPage, selectedUsage, seriesOnPage } from './usage-groups.js';
import { maxPoints, type UsagePeriod } from './usage-period.js';
import {
  byGrouping,
  forEachLength,
  selectionFragments,
  selectionParameters,
  selectionValues,
  type UsageSelection,
} from './usage-selection.js';

/** Sums of one group, in one interval or in the whole period. PostgreSQL's numbers as strings. */
export interface UsageRow extends Record<UsageColumnName, string> {
  /**
   * Id of the API key, model or creator, or a tag; empty without grouping, for an unknown model or creator and without
   * tags; null for the groups on other pages.
   */
  group: string | null;
  /** Start of the interval; null for the whole period. */
  start: Date | null;
  requests: string;
  failures: string;
  limited: string;
  /** Buckets of percentiles of durations; null without requests. */
  medianBucket: number | null;
  p95Bucket: number | null;
  p99Bucket: number | null;
}

const packedSlots = (length: SlotLength) => {
  const { name: table, timeOf } = packedTables[length];
  const fragments = { length, table, time: timeOf('packed.start', 'part.slot'), parts: joinParts('packed') };
  return loadFragment('usage/packed-slots.sql', { fragments, lists: columnLists });
};

function loadReadUsage(groupBy: Grouping, hasIntervals: boolean) {
  return loadStatement('usage/read-usage.sql', {
    parameters: [...selectionParameters, 'groups', 'includesOthers', 'starts'],
    fragments: {
      ...selectionFragments,
      chosen_series: seriesOnPage(groupBy),
      group_on_page: groupOnPage(groupBy),
      join_owners: joinOwnersOnPage[groupBy],
      selected_usage: selectedUsage(':from', ':to'),
      packed_slots: forEachLength(packedSlots),
      interval: hasIntervals ? 'interval_start' : 'null::timestamptz',
      grouping_sets: `${hasIntervals ? '("group", interval_start, latency_bucket), ' : ''}("group", latency_bucket)`,
      max_rows: String(maxRows),
    },
    lists: columnLists,
  });
}

/** Enough for the maximum number of points and groups. */
const maxRows = 2 * maxPoints;

export const readUsageStatements = byGrouping((groupBy) => loadReadUsage(groupBy, false));
export const readIntervalsStatements = byGrouping((groupBy) => loadReadUsage(groupBy, true));

/** The longest slots that add up to all intervals. */
function longestSlots({ starts }: UsagePeriod): SlotLength {
  if (starts.length === 0) return 'month';
  return starts.every(isStartOfUtcDay) ? 'day' : 'hour';
}

function isStartOfUtcDay(instant: Date): boolean {
  return instant.getTime() % 86_400_000 === 0;
}

/**
 * Reads the usage of an organization, by group and interval and by group alone. Intervals and groups without requests
 * have no row.
 */
export function readUsage(
  dataSource: DataSource,
  selection: UsageSelection,
  { groups, otherCount }: GroupPage,
): Promise<UsageRow[]> {
  const { groupBy, period } = selection;
  const statement = (period.starts.length > 0 ? readIntervalsStatements : readUsageStatements)[groupBy];
  const values = statement.bind({
    ...selectionValues(selection, longestSlots(period)),
    groups,
    includesOthers: otherCount > 0,
    starts: period.starts,
  });
  return dataSource.query<UsageRow[]>(statement.text, values);
}
