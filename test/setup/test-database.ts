import { randomUUID } from 'node:crypto';
import pg, { type ClientConfig } from 'pg';
import { findTestServer } from './test-server.js';

export interface TestDatabase {
  connection: ClientConfig;
  drop: () => Promise<void>;
}

/** Creates a database for a test file by cloning the migrated template. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(findTestServer().template);
}

/** Creates a database without tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const { connection } = findTestServer();
  const name = `keycard_test_${randomUUID().replaceAll('-', '')}`;
  await administrate(connection, `create database ${name} template ${template}`);
  return {
    connection: databaseOf(connection, name),
    drop: () => administrate(connection, `drop database ${name} with (force)`),
  };
}

/** Returns the connection to another database on the same server. */
export function databaseOf(connection: ClientConfig, database: string): ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** Runs a statement on a connection of its own. */
export async function administrate(connection: ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Returns the `DATABASE_URL`. A server without a port is named by its socket folder. */
export function toUrl({ connectionString, host = '', port, user = '', database = '', password }: ClientConfig): string {
  if (connectionString !== undefined) return connectionString;
  const url = new URL(`postgresql://${encodeURIComponent(user)}@localhost:${port ?? 5432}/${database}`);
  if (typeof password === 'string') url.password = encodeURIComponent(password);
  url.searchParams.set('host', host);
  return url.href;
}
