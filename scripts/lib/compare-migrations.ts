import { DataSource, type MigrationInterface } from 'typeorm';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { dataSourceOptions, knownMigrations } from '../../src/database/data-source-options.js';
import { entities } from '../../src/entities.js';
import { readComments } from './read-comments.js';

export type Migrations = readonly (new () => MigrationInterface)[];

/** Runs the migrations, and returns the statements that would make the schema match the entities. */
export async function findDifferences(database: DatabaseConnection): Promise<string[]> {
  return migrated(database, knownMigrations(), async (dataSource) => {
    await readComments(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => `${query};`);
  });
}

/**
 * Runs the migrations, then reverts and reruns the last one, the last two, and so on, except for the first, which can't be
 * reverted: if a `down()` misses something, the next `up()` fails.
 *
 * @returns what the reverted migrations leave behind
 * @throws PostgreSQL's error if a migration can't be run or reverted
 */
export async function findLeftovers(database: DatabaseConnection, migrations: Migrations = knownMigrations()) {
  const original = await migrated(database, migrations.slice(0, 1), listRelations);
  return migrated(database, migrations, async (dataSource) => {
    let remaining = original;
    for (let depth = 1; depth < migrations.length; depth++) {
      for (let step = 0; step < depth; step++) await dataSource.undoLastMigration({ transaction: 'each' });
      remaining = await listRelations(dataSource);
      await dataSource.runMigrations({ transaction: 'each' });
    }
    return remaining.filter((name) => !original.includes(name));
  });
}

/** Runs pending migrations, and opens the database. */
export async function migrated<Result>(
  database: DatabaseConnection,
  migrations: Migrations,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const options = { ...dataSourceOptions(database, entities), migrations: [...migrations] };
  const dataSource = await new DataSource(options).initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function listRelations(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>(`
    select 'relation ' || relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all select 'type ' || typname from pg_type
      where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
    union all select 'function ' || proname from pg_proc where pronamespace = 'public'::regnamespace
    union all select 'extension ' || extname from pg_extension where extname <> 'plpgsql'
    order by name`);
  return rows.map(({ name }) => name);
}
