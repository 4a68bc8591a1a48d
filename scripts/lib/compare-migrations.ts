import type { ClientConfig } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { entities } from '../../src/entities.js';

interface Comparison {
  /** Statements that would make the migrated schema match the entities. */
  differences: string[];
  /** What remains after all migrations are reverted. */
  leftovers: string[];
}

/**
 * Runs the migrations on an empty database, then reverts and reruns the last one, the last two, and so on: if a `down()`
 * misses something, the next `up()` fails.
 *
 * @throws PostgreSQL's error if a migration can't be run or reverted
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

/** Lists everything in the schema except TypeORM's migrations table. */
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
