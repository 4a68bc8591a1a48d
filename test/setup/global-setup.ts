import 'reflect-metadata';
import { exitOnSignals } from '../../src/database/embedded-postgres/exit-on-signals.js';
import { connectionOf, type DatabaseConnection } from '../../src/config/database-connection.js';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { administrate, databaseOf } from './test-database.js';
import { keepTemporaryFilesInMemory, makeTemporaryFolder } from './temporary-folder.js';
import { announceTestServer } from './test-server.js';

declare global {
  var stopTestServer: (() => Promise<void>) | undefined;
}

// Test data doesn't have to survive a power failure.
const flags = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=300'];

/** Sets up one PostgreSQL for the whole run, `TEST_DATABASE_URL` or embedded, with a migrated template database. */
export default async function setUp(): Promise<void> {
  const removeTemporaryFiles = await keepTemporaryFilesInMemory();
  const url = process.env['TEST_DATABASE_URL'];
  const connection = url ? connectionOf(url) : await startOwnServer();
  // Runs after the listener that stops the server.
  process.once('exit', removeTemporaryFiles);
  const template = `keycard_template_${process.pid}`;
  await administrate(connection, `create database ${template}`);
  await migrate(databaseOf(connection, template));
  announceTestServer({ connection, template });

  const stopServer = globalThis.stopTestServer;
  globalThis.stopTestServer = async () => {
    await administrate(connection, `drop database ${template}`);
    await stopServer?.();
  };
}

async function startOwnServer(): Promise<DatabaseConnection> {
  exitOnSignals();
  const folder = await makeTemporaryFolder();
  const postgres = await startEmbeddedPostgres(folder.path, { flags });
  globalThis.stopTestServer = async () => {
    await postgres.stop();
    await folder.remove();
  };
  return postgres.connection;
}
