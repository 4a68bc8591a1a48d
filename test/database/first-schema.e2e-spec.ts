import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { readSqlFile } from '../../src/database/sql-file.js';
import { migrate } from '../../src/database/migrate.js';
import { createMember } from '../factories/organizations.js';
import { openSession } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { describeSchema } from './describe-schema.js';
import { type Queryable, readRows } from './read-rows.js';

const startApp = useAppStarter();
const databases: TestDatabase[] = [];
const clients: pg.Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
  for (const { drop } of databases.splice(0)) await drop();
});

async function open(creating: Promise<TestDatabase>): Promise<DatabaseConnection & Queryable> {
  const database = await creating;
  databases.push(database);
  return { ...database.connection, ...(await connect(database.connection)) };
}

async function connect(database: DatabaseConnection, name = 'a test'): Promise<Queryable & Pick<pg.Client, 'end'>> {
  const client = new pg.Client({ ...database, application_name: name });
  await client.connect();
  clients.push(client);
  return {
    query: async <Row>(sql: string, parameters?: unknown[]) => (await client.query(sql, parameters)).rows as Row[],
    end: () => client.end(),
  };
}

