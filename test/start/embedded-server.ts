import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { StartupError } from '../../src/common/startup-error.js';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded-postgres/start-embedded-postgres.js';

/** Runs SQL on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  { connection }: Pick<EmbeddedPostgres, 'connection'>,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Connects and returns the authentication method that the server used. */
export async function connect(connection: EmbeddedPostgres['connection']): Promise<string | undefined> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ method: string }>(`SELECT split_part(system_user, ':', 1) AS method`);
    return rows[0]?.method;
  } finally {
    await client.end();
  }
}

/** Returns why a server can't start. */
export async function startupError(dataDirectory: string): Promise<string> {
  const error: unknown = await startEmbeddedPostgres(dataDirectory).catch((reason: unknown) => reason);
  if (!(error instanceof StartupError)) throw new Error('The start did not fail with a StartupError.');
  expect(error.message).toMatch(/^[^\n]+\.$/);
  return error.message;
}

/** Returns the process id of a server. */
export function serverPid(cluster: string): number {
  return Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
}
