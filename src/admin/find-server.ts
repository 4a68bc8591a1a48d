import { existsSync } from 'node:fs';
import path from 'node:path';
import { connectionOf, type DatabaseConnection } from '../config/database-connection.js';
import { StartupError } from '../common/startup-error.js';
import type { AdminConfig } from '../config/read-config.js';
import { checkDatabase } from '../database/check-database.js';
import { startEmbeddedPostgres } from '../database/embedded-postgres/start-embedded-postgres.js';

interface AdminServer {
  connection: DatabaseConnection;
  /** Stops the embedded server if `findServer` started it. */
  stop: () => Promise<void>;
}

/**
 * Finds the service's database server, external or embedded. A running embedded server is shared; otherwise it is started
 * and runs until `stop`.
 *
 * @param options.create even in a `DATA_DIR` without a database
 * @throws StartupError if the database is unreachable
 */
export async function findServer({ databaseUrl, dataDir }: AdminConfig, { create = false } = {}): Promise<AdminServer> {
  if (databaseUrl !== undefined) {
    const connection = connectionOf(databaseUrl);
    await checkDatabase(connection);
    return { connection, stop: () => Promise.resolve() };
  }
  // A mistyped DATA_DIR must not create an empty database.
  const markers = ['postgresql', 'postgresql-is-elsewhere.txt'];
  if (create || markers.some((name) => existsSync(path.join(dataDir, name)))) {
    return startEmbeddedPostgres(dataDir, { shared: true });
  }
  throw new StartupError(
    `DATA_DIR (${dataDir}) contains no database. Set DATA_DIR or DATABASE_URL to the service's value.`,
  );
}
