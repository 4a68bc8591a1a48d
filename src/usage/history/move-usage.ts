import type { ClientBase } from 'pg';
import { loadStatement, type SqlStatement } from '../../database/sql-file.js';
import { addTo, allKeys, joinParts, columnLists } from './packed-usage.js';

/** Rows of `usage` per transaction. */
const moveBatchSize = 1000;
/** Packed rows per transaction. */
const deletionBatchSize = 200;

/** Start of the hours that are still written: 10 minutes after its end, no write of an hour is in progress. */
const openHours = `date_trunc('hour', now() - interval '10 minutes', 'UTC')`;

const batch = { all_keys: allKeys, open_hours: openHours, batch_size: String(moveBatchSize) };

export const addSeries = loadStatement('usage/history/add-series.sql', { parameters: [], fragments: batch });

export const moveHours = loadStatement('usage/history/move-usage.sql', {
  parameters: [],
  fragments: {
    ...batch,
    add_to_hours: addTo('hour', 'facts'),
    add_to_days: addTo('day', 'facts'),
    add_to_months: addTo('month', 'facts'),
  },
  lists: columnLists,
});

export const deleteDays = loadStatement('usage/history/delete-days.sql', {
  parameters: ['retentionDays'],
  fragments: {
    batch_size: String(deletionBatchSize),
    parts: joinParts('old'),
    subtract_from_days: addTo('day', 'facts', '-'),
    subtract_from_months: addTo('month', 'facts', '-'),
  },
});

/**
 * Moves a batch of usage of past hours to packed rows. In one statement, so that a crash or a late write neither loses
 * usage nor counts it twice.
 *
 * @param client in a transaction with the lock of the retention task
 * @returns number of moved rows
 */
export async function moveUsage(client: ClientBase): Promise<number> {
  await client.query(addSeries.text);
  return countOf(client, moveHours, []);
}

/** Removes days older than the retention period from a batch of rows. Returns the number of rows. */
export function deleteDaysOfUsage(client: ClientBase, retentionDays: number): Promise<number> {
  return countOf(client, deleteDays, deleteDays.bind({ retentionDays }));
}

async function countOf(client: ClientBase, { text }: SqlStatement, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ count: number }>(text, values);
  return rows[0]?.count ?? 0;
}
