import type { Queryable } from './queryable.js';

/** Each query returns a line per object, in an order of its own. Positions of columns don't matter. */
const queries = [
  `select format('relation %s: %s, options %s, owner and rights %s, comment %s', relname, relkind, reloptions, relacl,
     obj_description(pg_class.oid, 'pg_class'))
   from pg_class where relnamespace = current_schema()::regnamespace`,
  `select format('column %s.%s: %s, not null %s, default %s, collation %s, identity %s, generated %s, comment %s',
     relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid),
     nullif(attcollation, 0)::regcollation, attidentity, attgenerated, col_description(attrelid, attnum))
   from pg_attribute
   join pg_class on pg_class.oid = attrelid and relkind in ('r', 'c')
   left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped`,
  `select format('constraint %s of %s: %s, valid %s', conname, conrelid::regclass, pg_get_constraintdef(oid), convalidated)
   from pg_constraint where connamespace = current_schema()::regnamespace`,
  `select format('index %s, valid %s', pg_get_indexdef(indexrelid), indisvalid)
   from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = current_schema()::regnamespace`,
  `select format('function, rights %s, comment %s: %s', proacl, obj_description(oid, 'pg_proc'), pg_get_functiondef(oid))
   from pg_proc where pronamespace = current_schema()::regnamespace`,
  `select format('trigger %s, enabled %s', pg_get_triggerdef(pg_trigger.oid), tgenabled)
   from pg_trigger join pg_class on pg_class.oid = tgrelid
   where relnamespace = current_schema()::regnamespace and not tgisinternal`,
];

/** Returns a line for each object in the schema: tables, columns, comments, constraints, indexes, functions and triggers. */
export async function describeSchema({ query }: Queryable): Promise<string[]> {
  const lines: string[] = [];
  for (const text of queries) lines.push(...(await query<{ format: string }>(text)).map(({ format }) => format));
  return lines.sort();
}
