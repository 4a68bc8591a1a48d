import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { entities } from '../../src/entities.js';

type Migrations = DataSourceOptions['migrations'];

/** Runs the migrations, and returns the statements that would make the schema match the entities. */
export async function findDifferences(database: DatabaseConnection): Promise<string[]> {
  return migrated(database, async (dataSource) => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => `${query};`);
  });
}

/**
 * Runs the migrations, then reverts and reruns the last one, the last two, and so on: if a `down()` misses something, the
 * next `up()` fails.
 *
 * @returns what remains after all are reverted
 * @throws PostgreSQL's error if a migration can't be run or reverted
 */
export async function findLeftovers(database: DatabaseConnection, migrations?: Migrations): Promise<string[]> {
  return migrated(
    database,
    async (dataSource) => {
      let leftovers: string[] = [];
      for (let depth = 1; depth <= dataSource.migrations.length; depth++) {
        for (let step = 0; step < depth; step++) await dataSource.undoLastMigration({ transaction: 'each' });
        leftovers = await listRemaining(dataSource);
        await dataSource.runMigrations({ transaction: 'each' });
      }
      return leftovers;
    },
    migrations,
  );
}

async function migrated<Result>(
  database: DatabaseConnection,
  work: (dataSource: DataSource) => Promise<Result>,
  migrations?: Migrations,
): Promise<Result> {
  const options = { ...dataSourceOptions(database, entities), ...(migrations && { migrations }) };
  const dataSource = await new DataSource(options).initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Lists everything in the schema except TypeORM's migrations table. */
async function listRemaining(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>(`
    select 'relation ' || relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        and relname not in ('migrations', 'migrations_id_seq')
    union all select 'type ' || typname from pg_type
      where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
    union all select 'function ' || proname from pg_proc where pronamespace = 'public'::regnamespace
    union all select 'extension ' || extname from pg_extension where extname <> 'plpgsql'
    order by name`);
  return rows.map(({ name }) => name);
}
