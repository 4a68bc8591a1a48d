import { existsSync } from 'node:fs';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { StartupError } from '../common/startup-error.js';
import type { AdminConfig } from '../config/read-config.js';
import { checkDatabase } from '../database/check-database.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { startEmbeddedPostgres } from '../database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import { entities } from '../entities.js';

interface AdminDatabase {
  dataSource: DataSource;
  close: () => Promise<void>;
}

/**
 * Connects to the service's database, external or embedded. A running embedded server is shared; otherwise it is
 * started and runs until `close`. Pending migrations run first, as when the service starts.
 *
 * @throws StartupError if the database is unreachable
 */
export async function openAdminDatabase(config: AdminConfig): Promise<AdminDatabase> {
  const server = await findServer(config);
  try {
    await migrate(server.connection);
    const dataSource = await new DataSource(dataSourceOptions(server.connection, entities)).initialize();
    const close = async () => {
      await dataSource.destroy();
      await server.stop();
    };
    return { dataSource, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function findServer({ databaseUrl, dataDir }: AdminConfig) {
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl };
    await checkDatabase(connection);
    return { connection, stop: () => Promise.resolve() };
  }
  // A mistyped DATA_DIR must not create an empty database.
  const markers = ['postgresql', 'postgresql-is-elsewhere.txt'];
  if (markers.some((name) => existsSync(path.join(dataDir, name)))) {
    return startEmbeddedPostgres(dataDir, { shared: true });
  }
  throw new StartupError(
    `DATA_DIR (${dataDir}) contains no database. Set DATA_DIR or DATABASE_URL to the service's value.`,
  );
}
