import type { QueryRunner } from 'typeorm';
import { type AuditEntry, AuditService } from '../../audit/audit.service.js';
import { errorCode } from '../../common/errors/error-utils.js';
import type { AdminContext } from '../admin-command.js';

/** `undefined_table` and `undefined_column`. */
const missing = ['42P01', '42703'];

/**
 * Records an event in the runner's transaction.
 *
 * @returns false if the database is too old to record it
 */
export async function recordMigration(
  runner: QueryRunner,
  operator: AdminContext['operator'],
  entry: Omit<AuditEntry, 'target'>,
): Promise<boolean> {
  const target = { kind: 'organization', id: null, name: null } as const;
  await runner.query('savepoint event');
  try {
    await new AuditService().record(runner.manager, { ...operator, organizationId: null }, { ...entry, target });
    return true;
  } catch (error) {
    if (!missing.includes(errorCode(error) ?? '')) throw error;
    await runner.query('rollback to savepoint event');
    return false;
  }
}
