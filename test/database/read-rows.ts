import type { Queryable } from './queryable.js';

type Row = Record<string, unknown>;

/** Returns the rows of all tables except `migrations` as JSON, sorted by their text. */
export async function readRows({ query }: Queryable): Promise<Record<string, Row[]>> {
  const tables = await query<{ name: string }>(
    `select tablename::text as name from pg_tables
     where schemaname = current_schema() and tablename <> 'migrations' order by tablename`,
  );
  const rows: Record<string, Row[]> = {};
  for (const { name } of tables) {
    const found = await query<{ row: Row }>(`select to_jsonb(one) as row from "${name}" as one order by one::text`);
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}
