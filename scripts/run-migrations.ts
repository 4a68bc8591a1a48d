import 'reflect-metadata';
import { database } from '../ormconfig.js';
import { migrate } from '../src/database/migrate.js';

/** Migrates the service's database, as on startup. */
await migrate(database, { logger: console });
console.log('The database is up to date.');
