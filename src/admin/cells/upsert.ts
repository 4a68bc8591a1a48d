import { type Cell, change, columnsOf } from './cell.js';

/** By database and table. */
const statements = new WeakMap<Cell, Map<string, string>>();

/**
 * Inserts rows, or replaces those with the same key.
 *
 * @param rows a JSON array
 * @param omitted columns that keep their default
 */
export async function upsert(
  cell: Cell,
  table: string,
  key: readonly string[],
  rows: string,
  omitted: readonly string[] = [],
): Promise<number> {
  return change(cell, await statementFor(cell, table, key, omitted), [rows]);
}

async function statementFor(
  cell: Cell,
  table: string,
  key: readonly string[],
  omitted: readonly string[],
): Promise<string> {
  const known = statements.get(cell) ?? new Map<string, string>();
  statements.set(cell, known);
  const found = known.get(table);
  if (found !== undefined) return found;
  const columns = (await columnsOf(cell, table)).filter((name) => !omitted.includes(name));
  const others = columns.filter((name) => !key.includes(name));
  const names = columns.map(quote).join(', ');
  const updates = others.map((name) => `${quote(name)} = excluded.${quote(name)}`).join(', ');
  const statement = `
    insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json)
    on conflict (${key.map(quote).join(', ')}) do update set ${updates}`;
  known.set(table, statement);
  return statement;
}

const quote = (name: string) => `"${name}"`;
