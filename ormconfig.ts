import { DataSource } from 'typeorm';
import { readConfig, readEnvironment } from './src/config/read-config.js';
import { dataSourceOptions } from './src/database/data-source-options.js';
import { entities } from './src/entities.js';
import { startEmbeddedPostgres } from './src/database/embedded-postgres/start-embedded-postgres.js';

/** For the TypeORM command line: the same database that the service uses with the same environment. */
const environment = readEnvironment();
const { databaseUrl, dataDirectory } = readConfig({
  ...environment,
  JWT_SECRET: 'not needed for the schema of the data',
});
export const database = databaseUrl
  ? { connectionString: databaseUrl }
  : (await startEmbeddedPostgres(dataDirectory, { shared: true })).connection;

export default new DataSource(dataSourceOptions(database, entities));
