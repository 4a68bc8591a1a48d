import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { findDifferences, findLeftovers } from '../../scripts/lib/compare-migrations.js';
import { findBreaks } from '../../scripts/lib/find-breaks.js';
import { grantNewPermissions, takeNewPermissions } from '../../src/access/migrate-permissions.js';
import { permissionCatalog } from '../../src/access/permissions.js';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { dataSourceOptions, knownMigrations } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { administrate, createEmptyDatabase, type TestDatabase } from '../setup/test-database.js';

let empty: TestDatabase;
let database: DatabaseConnection;

beforeEach(async () => {
  empty = await createEmptyDatabase();
  database = empty.connection;
});
afterEach(() => empty.drop());

/** Returns this release's migrations, followed by one of the next release that runs these statements. */
function followedBy(up: string, { down = 'select', contracts = false } = {}) {
  class Next1999999999999 implements MigrationInterface {
    name = 'Next1999999999999';
    readonly contracts = contracts;
    up = (queryRunner: QueryRunner) => queryRunner.query(up);
    down = (queryRunner: QueryRunner) => queryRunner.query(down);
  }
  return [...knownMigrations(), Next1999999999999];
}

describe('The migrations', () => {
  it("should produce exactly the entities' schema", async () => {
    expect(await findDifferences(database)).toEqual([]);
  });

  it('should run again after being reverted', async () => {
    expect(await findLeftovers(database)).toEqual([]);
  });

  it('should keep the previous release working', async () => {
    expect(await findBreaks(database)).toEqual([]);
  });
});

describe('The check of migrations', () => {
  it('should fail if they differ from the entities', async () => {
    await migrate(database);
    await administrate(database, 'alter table api_keys drop column hint');
    expect(await findDifferences(database)).toEqual([expect.stringContaining('ADD "hint"') as string]);
  });

  it('should fail if reverting leaves something behind', async () => {
    const migrations = followedBy('create table if not exists forgotten ()');
    expect(await findLeftovers(database, migrations)).toEqual(['relation forgotten']);
  });

  it.each([
    ['a dropped column', 'alter table api_keys drop column hint', 'api_keys.hint is gone'],
    ['a renamed column', 'alter table api_keys rename hint to start', 'api_keys.hint is gone'],
    ['a changed type', 'alter table api_keys alter hint type varchar(8)', 'api_keys.hint has another type'],
    [
      'a column that becomes required',
      'alter table api_keys alter expires_at set not null',
      'api_keys.expires_at is required',
    ],
    ['a new required column', 'alter table api_keys add owner text not null', 'api_keys.owner is required'],
  ])('should fail for %s', async (_title, statement, problem) => {
    expect(await findBreaks(database, followedBy(statement))).toContain(`Next1999999999999: ${problem}`);
  });

  it('should accept new tables, optional columns and columns with a default', async () => {
    const statement = `create table widgets (id uuid not null);
      alter table api_keys add owner text, add weight integer not null default 1`;
    expect(await findBreaks(database, followedBy(statement))).toEqual([]);
  });

  it('should accept a migration that removes what the previous release no longer uses', async () => {
    const migrations = followedBy('alter table api_keys drop column hint', { contracts: true });
    expect(await findBreaks(database, migrations)).toEqual([]);
  });
});

describe('A migration with new permissions', () => {
  const since = 'AddWidgets1888888888888';
  const catalog = {
    ...permissionCatalog,
    'get-widgets': { description: 'List widgets', group: 'API keys', since },
    'delete-widgets': { description: 'Delete widgets', group: 'API keys', since },
    'get-gadgets': { description: 'List gadgets', group: 'API keys', since: 'AddGadgets1999999999999' },
  } as const;
  const original = Object.keys(permissionCatalog);
  const reading = original.filter((permission) => permission.startsWith('get-'));

  it('should give them to roles with all earlier ones only, to those that read only what reads, and take them back', async () => {
    await migrate(database);
    const source = await new DataSource(dataSourceOptions(database)).initialize();
    const runner = source.createQueryRunner();
    await runner.query(
      `with organization as (
         insert into organizations (id, name) values (gen_random_uuid(), 'Research') returning id
       )
       insert into roles (id, organization_id, name, permissions)
       select gen_random_uuid(), id, 'Owner', $1::text[] from organization
       union all select gen_random_uuid(), id, 'Reader', $2::text[] from organization
       union all select gen_random_uuid(), id, 'Reader and more', $2::text[] || '{create-api-keys}' from organization
       union all select gen_random_uuid(), id, 'Viewer', array['get-api-keys'] from organization`,
      [original, reading],
    );
    const read = async () => {
      const roles = (await runner.query('select permissions from roles order by name')) as { permissions: string[] }[];
      return roles.map(({ permissions }) => permissions);
    };
    await grantNewPermissions(runner, since, catalog);
    const others = [[...reading, 'create-api-keys'], ['get-api-keys']];
    expect(await read()).toEqual([
      [...original, 'get-widgets', 'delete-widgets'],
      [...reading, 'get-widgets'],
      ...others,
    ]);
    await takeNewPermissions(runner, since, catalog);
    expect(await read()).toEqual([original, reading, ...others]);
    await runner.release();
    await source.destroy();
  });
});
