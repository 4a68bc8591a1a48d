import type { ClientBase } from 'pg';
import { errorCode } from '../../common/errors/error-utils.js';
import { CommandError } from '../admin-command.js';
import { type BackupTable, maxTables, quoteName } from './backup-format.js';

/** Tables whose rows aren't backed up. */
const omittedTables = new Set([
  // Their names are in the header.
  'migrations',
  // A restored session or reset link would work again although it had been ended or used after the backup.
  'sessions',
  'password_resets',
  // Recent sign-in attempts, which expire within a day.
  'rate_limits',
  // A restored database has a history of its own.
  'database_history',
  'database_identity',
]);

/** A table of the snapshot. */
export interface SnapshotTable extends BackupTable {
  parents: string[];
  /** In bytes. */
  size: number;
  /** PostgreSQL's estimate; -1 if it has none. */
  estimatedRows: number;
}

/** SQLSTATE of an unknown table. */
const undefinedTable = '42P01';

/**
 * Begins a transaction that reads one snapshot of the database, with its tables locked against migrations.
 *
 * The lock comes first: to an earlier snapshot, a table that a migration has rewritten since looks empty, and one that it
 * changed no longer fits the migrations in the header. `LOCK TABLE` takes no snapshot; any query does.
 *
 * @returns the tables to back up, parents before the tables that refer to them
 */
export async function beginSnapshot(client: ClientBase): Promise<SnapshotTable[]> {
  for (;;) {
    const locked = new Set((await findTables(client)).map(({ table }) => table));
    await client.query('begin transaction isolation level repeatable read, read only');
    if (await lockTables(client, locked)) {
      const tables = await findTables(client);
      if (tables.every(({ table }) => locked.has(table))) return tables;
    }
    // A table was created or dropped before the lock was held.
    await client.query('rollback');
  }
}

/** Returns false if one of the tables doesn't exist any more. */
async function lockTables(client: ClientBase, tables: ReadonlySet<string>): Promise<boolean> {
  try {
    await client.query(`lock table ${[...tables].map(quoteName).join(', ')} in access share mode`);
    return true;
  } catch (error) {
    if (errorCode(error) === undefinedTable) return false;
    throw error;
  }
}

/** @throws CommandError if there are more than `restore` accepts */
async function findTables(client: ClientBase): Promise<SnapshotTable[]> {
  const { rows } = await client.query<SnapshotTable>(
    `select relname::text as table,
       (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       array(select parent.relname::text from pg_constraint join pg_class as parent on parent.oid = confrelid
             where conrelid = relation.oid and contype = 'f') as parents,
       pg_table_size(relation.oid)::float8 as size, reltuples::float8 as "estimatedRows"
     from pg_class as relation
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
     order by relname`,
  );
  const byName = new Map(rows.map((table) => [table.table, table]));
  const sorted = new Set<SnapshotTable>();
  const visiting = new Set<SnapshotTable>();
  const visit = (table: SnapshotTable | undefined) => {
    if (table === undefined || visiting.has(table)) return;
    visiting.add(table);
    for (const parent of table.parents) visit(byName.get(parent));
    sorted.add(table);
  };
  rows.forEach(visit);
  const tables = [...sorted].filter(({ table }) => !omittedTables.has(table));
  if (tables.length <= maxTables) return tables;
  throw new CommandError(
    `The database has more than ${maxTables} tables, which restore would refuse. Give Keycard its own database.`,
  );
}
