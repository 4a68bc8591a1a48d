import { NIL } from 'uuid';
import { loadFragment, type SqlFragment } from '../../database/sql-file.js';
import { maxSum, usageColumns } from '../usage-columns.js';

/** In place of an API key's id: the sum of all keys of the organization. */
export const allKeys = `'${NIL}'::uuid`;

/** Usage is kept by hour for this long, and by UTC day until it is deleted. */
export const hourlyDays = 35;

/**
 * The hour at which the usage of a UTC day counts. At 10:00, the date is the same in all time zones from UTC−10 to UTC+13,
 * so reports by day in these time zones count it for the right day.
 */
export const dayTimeHours = 10;

/** Length of a slot of packed rows. Each length has a table, with a row per series and UTC day, month or year. */
export const slotLengths = ['hour', 'day', 'month'] as const;
export type SlotLength = (typeof slotLengths)[number];

/** The packed rows of a slot length. */
interface PackedTable {
  name: string;
  /** Period of a row. */
  period: 'day' | 'month' | 'year';
  /** SQL for the slot of `time`. */
  slot: string;
  /** SQL for the time at which the usage of a slot counts. */
  timeOf: (start: string, slot: string) => string;
}

const utc = (time: string) => `(${time} at time zone 'UTC')`;

export const packedTables: Record<SlotLength, PackedTable> = {
  hour: {
    name: 'usage_by_hour',
    period: 'day',
    slot: `extract(hour from ${utc('time')})`,
    timeOf: (start, slot) => `${start} + ${slot} * interval '1 hour'`,
  },
  day: {
    name: 'usage_by_day',
    period: 'month',
    slot: `extract(day from ${utc('time')}) - 1`,
    timeOf: (start, slot) => `${start} + ${slot} * interval '24 hours' + interval '${dayTimeHours} hours'`,
  },
  month: {
    name: 'usage_by_month',
    period: 'year',
    slot: `extract(month from ${utc('time')}) - 1`,
    timeOf: (start, slot) => utc(`(${utc(start)} + ${slot} * interval '1 month')`),
  },
};

/** What statement files repeat lines for. */
export const columnLists = { columns: usageColumns.map(({ name, column }) => ({ name, column })) };

/** SQL that joins a packed row with its parts. */
export const joinParts = (row: string): SqlFragment =>
  loadFragment('usage/history/packed-parts.sql', { fragments: { row }, lists: columnLists });

/** SQL that adds facts to packed rows, or subtracts them with the sign `-`. */
export function addTo(length: SlotLength, facts: string, sign: '-' | '' = ''): SqlFragment {
  const { name: table, period, slot } = packedTables[length];
  const start = `date_trunc('${period}', time, 'UTC')`;
  const fragments = { table, start, slot, facts, sign, max_sum: maxSum, parts: joinParts('packed') };
  return loadFragment('usage/history/add-to-packed.sql', { fragments, lists: columnLists });
}
