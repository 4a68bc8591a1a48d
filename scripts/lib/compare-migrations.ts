import type { ClientConfig } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { entities } from '../../src/entities.js';

interface Comparison {
  /** The statements that would turn what the migrations make into what the entities describe. */
  differences: string[];
  /** What is still there after every migration was taken back. */
  leftovers: string[];
}

/**
 * Runs the migrations on a database that holds nothing else, takes the last one back and runs it again, then the
 * last two, and so on down to nothing: where a `down()` forgets something, the next `up()` fails.
 *
 * @throws what PostgreSQL says of a migration that cannot be run or taken back
 */
export async function compareMigrations(database: ClientConfig): Promise<Comparison> {
  const dataSource = await new DataSource(dataSourceOptions(database, entities)).initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
    const differences = await findDifferences(dataSource);
    let leftovers: string[] = [];
    for (let depth = 1; depth <= dataSource.migrations.length; depth++) {
      for (let step = 0; step < depth; step++) await dataSource.undoLastMigration({ transaction: 'each' });
      leftovers = await findLeftovers(dataSource);
      await dataSource.runMigrations({ transaction: 'each' });
    }
    return { differences, leftovers };
  } finally {
    await dataSource.destroy();
  }
}

async function findDifferences(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => `${query};`);
}

/** Everything of the schema but TypeORM's own table of migrations. */
async function findLeftovers(dataSource: DataSource): Promise<string[]> {
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
