import { existsSync } from 'node:fs';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { StartupError } from '../common/startup-error.js';
import { checkDatabase } from '../database/check-database.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { startEmbeddedPostgres } from '../database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import { entities } from '../entities.js';
import type { AdminConfig } from '../config/read-config.js';

interface AdminDatabase {
  dataSource: DataSource;
  close: () => Promise<void>;
}

/**
 * Connects to the service's database, external or embedded. Joins an embedded server that runs; otherwise starts it
 * until `close`. An older database is migrated first, as the service does at its start.
 *
 * @throws StartupError when the database cannot be reached
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

async function findServer({ databaseUrl, dataDirectory }: AdminConfig) {
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl };
    await checkDatabase(connection);
    return { connection, stop: () => Promise.resolve() };
  }
  // A mistyped DATA_DIR must not become an empty database.
  const traces = ['postgresql', 'postgresql-is-elsewhere.txt'];
  if (traces.some((name) => existsSync(path.join(dataDirectory, name)))) {
    return startEmbeddedPostgres(dataDirectory, { shared: true });
  }
  throw new StartupError(
    `DATA_DIR (${dataDirectory}) holds no database. Set DATA_DIR or DATABASE_URL to what the service uses.`,
  );
}
