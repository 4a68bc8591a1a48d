import { randomUUID } from 'node:crypto';
import type { ClientConfig } from 'pg';
import { compareMigrations } from '../../scripts/lib/compare-migrations.js';
import { administrate, databaseOf } from '../setup/test-database.js';
import { findTestServer } from '../setup/test-server.js';

const { connection } = findTestServer();
let name: string;
let database: ClientConfig;

beforeEach(async () => {
  name = `keycard_migrations_${randomUUID().replaceAll('-', '')}`;
  await administrate(connection, `create database ${name}`);
  database = databaseOf(connection, name);
});
afterEach(() => administrate(connection, `drop database ${name} with (force)`));

describe('The migrations', () => {
  it("should produce exactly the entities' schema, and run again after being reverted", async () => {
    expect(await compareMigrations(database)).toEqual({ differences: [], leftovers: [] });
  });

  it('should fail the check if they differ from the entities', async () => {
    await compareMigrations(database);
    await administrate(database, 'alter table api_keys drop column hint');
    const { differences } = await compareMigrations(database);
    expect(differences).toEqual([expect.stringContaining('ADD "hint"') as string]);
  });

  it('should fail the check if reverting leaves something behind', async () => {
    await administrate(database, 'create table forgotten ()');
    expect(await compareMigrations(database)).toMatchObject({ leftovers: ['relation forgotten'] });
  });
});
