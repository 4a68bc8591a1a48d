import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { findTestServer } from './test-server.js';

export interface TestDatabase {
  connection: DatabaseConnection;
  drop: () => Promise<void>;
}

/** Creates a database for a test file by cloning the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createDatabase(findTestServer().template);
  await administrate(database.connection, 'update database_identity set id = gen_random_uuid()');
  return database;
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
export function databaseOf(connection: DatabaseConnection, database: string): DatabaseConnection {
  return { ...connection, database };
}

/** Runs a statement on a connection of its own. */
export async function administrate(connection: DatabaseConnection, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Returns the connection to a server on this machine that isn't PostgreSQL. */
export const connectionToPort = (port: number): DatabaseConnection => ({
  host: '127.0.0.1',
  port,
  user: 'keycard',
  database: 'keycard',
  password: '',
  ssl: false,
});

/** Returns the `DATABASE_URL`. A server without a port is named by its socket folder. */
export function toUrl({ host, port, user, database, password }: DatabaseConnection): string {
  const url = new URL(`postgresql://${encodeURIComponent(user)}@localhost:${port}/${database}`);
  url.password = encodeURIComponent(password);
  url.searchParams.set('host', host);
  return url.href;
}
