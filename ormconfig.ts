import { DataSource } from 'typeorm';
import { readComments } from './scripts/lib/read-comments.js';
import { connectionOf, ignorePostgresVariables } from './src/config/database-connection.js';
import { readConfig, readEnvironment } from './src/config/read-config.js';
import { dataSourceOptions } from './src/database/data-source-options.js';
import { entities } from './src/entities.js';
import { startEmbeddedPostgres } from './src/database/embedded-postgres/start-embedded-postgres.js';

ignorePostgresVariables();

class CommandLineDataSource extends DataSource {
  override async initialize(): Promise<this> {
    await super.initialize();
    await readComments(this);
    return this;
  }
}

/** Data source for the TypeORM command line. It uses the same environment variables as the service. */
const environment = readEnvironment();
const { databaseUrl, dataDir } = readConfig({
  ...environment,
  // Required with DATABASE_URL, but not used here.
  JWT_SECRET: 'x'.repeat(32),
});
const database = databaseUrl
  ? connectionOf(databaseUrl)
  : (await startEmbeddedPostgres(dataDir, { shared: true })).connection;

export default new CommandLineDataSource(dataSourceOptions(database, entities));
