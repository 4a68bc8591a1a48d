import { readFileSync } from 'node:fs';

/**
 * Reads an SQL file. Builds copy these files next to the compiled modules; see `scripts/lib/sql-files.mjs`.
 *
 * @param name relative to the module, such as `first-schema/usage.sql`
 * @param module `import.meta.url` of the caller
 */
export function readSqlFile(name: string, module: string): string {
  return readFileSync(new URL(name, module), 'utf8');
}
