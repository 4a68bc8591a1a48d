import pg, { type ClientConfig } from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { makeTemporaryFolder } from '../../test/setup/temporary-folder.js';

export interface BenchDatabase {
  connection: ClientConfig;
  /** For preparing data; not used while anything is measured. */
  client: pg.Client;
  stop: () => Promise<void>;
}

/** A PostgreSQL server with its default settings, durable ones, and the tables of the service, in a folder of its own. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const folder = await makeTemporaryFolder();
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
