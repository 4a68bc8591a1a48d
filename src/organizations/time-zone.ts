import type { EntityManager } from 'typeorm';
import { invalidField } from '../common/errors/app-error.js';

/**
 * Rejects a time zone that PostgreSQL doesn't know by exactly this name. It computes the periods of limits, and its list may be
 * older or newer than that of Node.
 *
 * @throws AppError 400
 */
export async function checkTimeZone(manager: EntityManager, timeZone: string): Promise<void> {
  const found = await manager.query<object[]>('select from pg_timezone_names where name = $1', [timeZone]);
  if (found.length > 0) return;
  const problem = 'timeZone must be the name of a time zone that the database knows, such as Europe/Berlin.';
  throw invalidField('timeZone', problem);
}
