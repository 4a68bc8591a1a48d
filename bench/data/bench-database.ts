import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg, { type ClientConfig } from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';

export interface BenchDatabase {
  connection: ClientConfig;
  /** For preparing data; not used while anything is measured. */
  client: pg.Client;
  stop: () => Promise<void>;
}

/** A PostgreSQL server with its default settings, durable ones, and the tables of the service, in a folder of its own. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const { folder, remove } = makeTemporaryFolder();
  const postgres = await startEmbeddedPostgres(folder);
  await migrate(postgres.connection);
  const client = new pg.Client(postgres.connection);
  await client.connect();
  const stop = async () => {
    await client.end();
    await postgres.stop();
    remove();
  };
  return { connection: postgres.connection, client, stop };
}

/** A new folder, removed at the latest when this process ends. */
export function makeTemporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'keycard-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  process.once('exit', remove);
  return { folder, remove };
}
