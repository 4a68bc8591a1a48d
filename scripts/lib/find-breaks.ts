import type { DataSource } from 'typeorm';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { knownMigrations } from '../../src/database/data-source-options.js';
import { migrated, type Migrations } from './compare-migrations.js';

interface Column {
  /** `table.column`. */
  name: string;
  table: string;
  type: string;
  isNullable: boolean;
  hasDefault: boolean;
}

/**
 * Runs the migrations one by one, and returns what breaks statements of the previous release: removed, changed and newly
 * required columns. A migration that removes what the previous release no longer uses is exempt: it sets
 * `readonly contracts = true`.
 */
export async function findBreaks(database: DatabaseConnection, migrations: Migrations = knownMigrations()) {
  const breaks: string[] = [];
  let before: Column[] = [];
  for (const [index, Migration] of migrations.entries()) {
    const after = await migrated(database, migrations.slice(0, index + 1), readColumns);
    if (!contracts(new Migration())) breaks.push(...compare(before, after).map((text) => `${Migration.name}: ${text}`));
    before = after;
  }
  return breaks;
}

function contracts(migration: object): boolean {
  return 'contracts' in migration && migration.contracts === true;
}

function compare(before: readonly Column[], after: readonly Column[]): string[] {
  const tables = new Set(before.map(({ table }) => table));
  const changed = before.flatMap(({ name, type }) => {
    const column = after.find((one) => one.name === name);
    if (column === undefined) return [`${name} is gone`];
    return column.type === type ? [] : [`${name} has another type`];
  });
  const required = after.filter(({ name, table, isNullable, hasDefault }) => {
    const wasOptional = before.find((one) => one.name === name)?.isNullable ?? true;
    return tables.has(table) && !isNullable && !hasDefault && wasOptional;
  });
  return [...changed, ...required.map(({ name }) => `${name} is required`)];
}

function readColumns(dataSource: DataSource): Promise<Column[]> {
  return dataSource.query<Column[]>(`
    select format('%s.%s', table_name, column_name) as name, table_name as table,
      format('%s %s', data_type, udt_name) as type, is_nullable = 'YES' as "isNullable",
      column_default is not null or is_identity = 'YES' as "hasDefault"
    from information_schema.columns where table_schema = 'public' order by table_name, column_name`);
}
