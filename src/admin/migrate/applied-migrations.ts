import { knownMigrations } from '../../database/data-source-options.js';

/** Runs a statement on the database. */
interface Queryable {
  query: <Row>(sql: string) => Promise<Row[]>;
}

/** Returns the names of this release's migrations, in the order in which they are applied. */
export function ownMigrations(): string[] {
  const names: string[] = knownMigrations().map(({ name }) => name);
  return names.sort((one, other) => timestampOf(one) - timestampOf(other));
}

/** The last 13 digits of its name, by which TypeORM orders migrations. */
const timestampOf = (name: string) => Number(name.slice(-13));

/** Returns the names of the migrations that the database has, in their order, without changing the database. */
export async function appliedMigrations(database: Queryable): Promise<string[]> {
  const [table] = await database.query<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`);
  if (table?.exists !== true) return [];
  const rows = await database.query<{ name: string }>('select name from migrations order by timestamp, id');
  return rows.map(({ name }) => name);
}
