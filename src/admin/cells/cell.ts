import type { ClientBase } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { dataSourceOptions } from '../../database/data-source-options.js';
import { prepareSession } from '../../database/prepare-session.js';
import { copySettings } from '../backup/backup-format.js';

/** A connection to the database of a cell. */
export interface Cell {
  readonly client: ClientBase;
  /** Uses the same connection, and so the transaction of the client. */
  readonly manager: EntityManager;
  readonly close: () => Promise<void>;
}

/** Allows inserting audit events of an organization that is closed. Sums of usage don't include series that arrive yet. */
const allowMoves = `set keycard.moves_organization = 'on'; set keycard.keeps_usage_cohorts = 'on'`;

/** @throws any error of pg */
export async function openCell(connection: DatabaseConnection, side: 'source' | 'target'): Promise<Cell> {
  const options = dataSourceOptions({ ...connection, application_name: 'keycard move', query_timeout: 0 }, [], 1);
  const dataSource = await new DataSource(options).initialize();
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as ClientBase;
  const close = async () => {
    await runner.release();
    await dataSource.destroy();
  };
  try {
    await prepareSession(client, side === 'target' ? `${copySettings}; ${allowMoves}` : copySettings);
    return { client, manager: runner.manager, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs a transaction on the connection of a cell. */
export async function transact<Result>(
  { client }: Cell,
  work: () => Promise<Result>,
  begin = 'begin',
): Promise<Result> {
  await client.query(begin);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Returns the rows of a query. */
export async function select<Row extends object>(
  { client }: Cell,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await client.query<Row>(sql, values)).rows;
}

/** Runs a statement, and returns the number of rows that it changed. */
export async function change({ client }: Cell, sql: string, values: unknown[] = []): Promise<number> {
  return (await client.query(sql, values)).rowCount ?? 0;
}

/**
 * Reads rows as the text of a JSON array, so that they reach the other cell unchanged: numbers beyond 2^53, microseconds and
 * the order of fields included.
 *
 * @param sql with the rows
 */
export async function readJson(cell: Cell, sql: string, values: unknown[]): Promise<{ rows: string; count: number }> {
  const [found] = await select<{ rows: string; count: number }>(
    cell,
    `select coalesce(json_agg(row_to_json(one)), '[]')::text as rows, count(*)::integer as count from (${sql}) as one`,
    values,
  );
  return found ?? { rows: '[]', count: 0 };
}

/** The names of a table's columns. */
export async function columnsOf(cell: Cell, table: string): Promise<string[]> {
  const rows = await select<{ name: string }>(
    cell,
    `select attname::text as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}
