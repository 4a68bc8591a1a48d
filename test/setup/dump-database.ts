import type { TestApp } from './test-app.js';

/** Returns every row of every table as text. */
export async function dumpDatabase({ query }: TestApp): Promise<string> {
  const tables = await query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  const dumps = tables.map(({ name }) => query<{ row: string }>(`select t::text as row from ${name} t`));
  return (await Promise.all(dumps))
    .flat()
    .map(({ row }) => row)
    .join('\n');
}
