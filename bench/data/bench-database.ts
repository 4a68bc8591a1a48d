import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { makeBenchFolder } from './bench-folder.js';

export interface BenchDatabase {
  connection: DatabaseConnection;
  /** Prepares data; idle during measurements. */
  client: pg.Client;
  stop: () => Promise<void>;
}

/** Starts PostgreSQL with its default, durable settings and the service's tables in a temporary folder. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const folder = await makeBenchFolder();
  const postgres = await startEmbeddedPostgres(folder.path);
  await migrate(postgres.connection);
  const client = new pg.Client(postgres.connection);
  await client.connect();
  const stop = async () => {
    await client.end();
    await postgres.stop();
    await folder.remove();
  };
  return { connection: postgres.connection, client, stop };
}
