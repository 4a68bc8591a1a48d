import { DataSource } from 'typeorm';
import { errorCode } from '../../common/errors/error-utils.js';
import type { AuditSigningKeys } from '../../config/audit-signing-keys.js';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { dataSourceOptions } from '../../database/data-source-options.js';
import { appendEvents, batchSize } from './append-events.js';
import { toAuditKeys } from './audit-key.js';
import { createCheckpoint, findUnsignedTrees } from './create-checkpoint.js';

/** SQLSTATE of an unknown table. */
const undefinedTable = '42P01';
const treesPerRead = 1000;

/**
 * Appends committed events to their trees, signs all trees, and returns their newest checkpoints.
 *
 * @param keys undefined: nothing is signed
 * @returns empty if nothing is signed, or an earlier release owns the database
 */
export async function signAuditLog(
  connection: DatabaseConnection,
  keys: AuditSigningKeys | undefined,
): Promise<string> {
  const [key] = toAuditKeys(keys);
  if (key === undefined) return '';
  const dataSource = await new DataSource(dataSourceOptions(connection, [], 1)).initialize();
  try {
    for (;;) {
      const count = await dataSource.transaction((manager) => appendEvents(manager, key));
      // A running service appends them.
      if (count === undefined || count < batchSize) break;
    }
    for (;;) {
      const trees = await findUnsignedTrees(dataSource, '0 seconds', treesPerRead);
      for (const id of trees) await dataSource.transaction((manager) => createCheckpoint(manager, key, id));
      if (trees.length < treesPerRead) break;
    }
    const newest = await dataSource.query<{ note: string }[]>(
      'select distinct on (tree_id) note from audit_checkpoints order by tree_id, number desc',
    );
    return newest.map(({ note }) => note).join('\n');
  } catch (error) {
    if (errorCode(error) === undefinedTable) return '';
    throw error;
  } finally {
    await dataSource.destroy();
  }
}
