import type { BackupTable, Totals } from './backup-format.js';
import type { BackupReader } from './read-backup.js';

/**
 * Reads a backup to its end, and checks its totals.
 *
 * @param readRows reads the rows of a table, and returns their number
 * @throws CommandError if the backup is damaged
 */
export async function readTables(
  reader: BackupReader,
  readRows: (table: BackupTable) => Promise<number>,
): Promise<Totals> {
  const totals: Totals = { tables: 0, rows: 0 };
  for (;;) {
    const next = await reader.readTable();
    if ('table' in next) {
      totals.rows += await readRows(next);
      totals.tables += 1;
      continue;
    }
    if (next.tables !== totals.tables || next.rows !== totals.rows) throw reader.damaged('its totals are wrong');
    await reader.readEnd();
    return totals;
  }
}

/** Reads the rows of a table, and checks their checksum. */
export async function skipRows(reader: BackupReader, table: BackupTable): Promise<number> {
  const content = reader.readRows(table);
  for (;;) {
    const { value, done } = await content.next();
    if (done === true) return value.rows;
  }
}
