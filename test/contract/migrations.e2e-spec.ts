import { randomUUID } from 'node:crypto';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { findDifferences, findLeftovers } from '../../scripts/lib/compare-migrations.js';
import { allPermissions } from '../../src/access/permissions.js';
import { dataSourceOptions, knownMigrations } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { Automation1795420000000 } from '../../src/database/migrations/1795420000000-Automation.js';
import { DeletedOrganizations1795440000000 } from '../../src/database/migrations/1795440000000-DeletedOrganizations.js';
import { PreviousKeyUse1795500000000 } from '../../src/database/migrations/1795500000000-PreviousKeyUse.js';
import { administrate, databaseOf } from '../setup/test-database.js';
import { findTestServer } from '../setup/test-server.js';

const { connection } = findTestServer();
let name: string;
let database: DatabaseConnection;

beforeEach(async () => {
  name = `keycard_migrations_${randomUUID().replaceAll('-', '')}`;
  await administrate(connection, `create database ${name}`);
  database = databaseOf(connection, name);
});
afterEach(() => administrate(connection, `drop database ${name} with (force)`));

describe('The migrations', () => {
  it("should produce exactly the entities' schema, and run again after being reverted", async () => {
    expect(await findDifferences(database)).toEqual([]);
    expect(await findLeftovers(database)).toEqual([]);
  });

  it.each([
    [Automation1795420000000, /-service-accounts$/, /^delete-organization$/],
    [DeletedOrganizations1795440000000, /^delete-organization$/, /^$/],
  ])('should give the new permissions of %p to roles with all others, and take them back', async (...parameters) => {
    const [Migration, added, later] = parameters;
    const migrations = knownMigrations() as (new () => MigrationInterface)[];
    const earlier = migrations.slice(0, migrations.indexOf(Migration));
    await migrate(database, { migrations: earlier });
    const all = allPermissions.filter((permission) => !later.test(permission));
    const previous = all.filter((permission) => !added.test(permission));
    const source = new DataSource({ ...dataSourceOptions(database), migrations: [Migration] });
    await source.initialize();
    await source.query(`insert into organizations (id, name) values (gen_random_uuid(), 'Research')`);
    await source.query(
      `insert into roles (id, organization_id, name, permissions)
       select gen_random_uuid(), id, 'Owner', $1::text[] from organizations
       union all select gen_random_uuid(), id, 'Viewer', array['get-api-keys'] from organizations`,
      [previous],
    );
    const read = async () => {
      const roles = await source.query<{ permissions: string[] }[]>('select permissions from roles order by name');
      return roles.map(({ permissions }) => permissions.toSorted());
    };
    await migrate(database, { migrations: [...earlier, Migration] });
    expect(await read()).toEqual([all.toSorted(), ['get-api-keys']]);
    await source.undoLastMigration();
    expect(await read()).toEqual([previous.toSorted(), ['get-api-keys']]);
    await source.destroy();
  });

  it("should start the last use of previous secrets that still work at their key's last use", async () => {
    const migrations = knownMigrations() as (new () => MigrationInterface)[];
    const earlier = migrations.slice(0, migrations.indexOf(PreviousKeyUse1795500000000));
    await migrate(database, { migrations: earlier });
    const source = new DataSource({ ...dataSourceOptions(database), migrations: [] });
    await source.initialize();
    await source.query(
      `with organization as (
         insert into organizations (id, name) values (gen_random_uuid(), 'Research') returning id
       )
       insert into api_keys (
         id, organization_id, name, folded_name, hint, key_hash, previous_key_hash, previous_key_expires_at, last_used_at
       )
       select gen_random_uuid(), id, name, name, 'kc_4fT9q', sha256(name::bytea), sha256(previous::bytea), expiry,
         '2026-01-31T09:30:00Z'
       from organization cross join (values
         ('a', 'previous a', now() + interval '1 hour'), ('b', 'previous b', now() - interval '1 hour'), ('c', null, null)
       ) as key (name, previous, expiry)`,
    );
    await migrate(database, { migrations: [...earlier, PreviousKeyUse1795500000000] });
    expect(await source.query('select name, previous_last_used_at as last from api_keys order by name')).toEqual([
      { name: 'a', last: new Date('2026-01-31T09:30:00Z') },
      { name: 'b', last: null },
      { name: 'c', last: null },
    ]);
    await source.destroy();
  });

  it('should fail the check if they differ from the entities', async () => {
    await migrate(database);
    await administrate(database, 'alter table api_keys drop column hint');
    expect(await findDifferences(database)).toEqual([expect.stringContaining('ADD "hint"') as string]);
  });

  it('should fail the check if reverting leaves something behind', async () => {
    class LeavesTable1999999999999 implements MigrationInterface {
      name = 'LeavesTable1999999999999';
      up = (queryRunner: QueryRunner) => queryRunner.query('create table if not exists forgotten ()');
      down = () => Promise.resolve();
    }
    expect(await findLeftovers(database, [LeavesTable1999999999999])).toEqual(['relation forgotten']);
  });
});
