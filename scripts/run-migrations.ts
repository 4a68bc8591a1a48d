import 'reflect-metadata';
import { database } from '../ormconfig.js';
import { migrate } from '../src/database/migrate.js';

/** Migrates the database of the service, as its start does. */
await migrate(database, { logger: console });
console.log('The database is up to date.');
