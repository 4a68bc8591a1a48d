import { StartupError } from '../../common/startup-error.js';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { checkDatabase } from '../../database/check-database.js';

/** @throws StartupError that explains what is wrong with `--to` */
export async function checkTarget(target: DatabaseConnection): Promise<void> {
  try {
    await checkDatabase(target);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    throw new StartupError(error.message.replaceAll('DATABASE_URL', '--to'));
  }
}
