import { testJwtSecret, type TestApp } from '../setup/test-app.js';
import { toUrl } from '../setup/test-database.js';
import { runService, type ServiceProcess } from './service-process.js';

/** Starts a replica as a separate process on a database. */
export function runReplica(
  { database }: Pick<TestApp, 'database'>,
  environment: Record<string, string> = {},
): ServiceProcess {
  return runService({
    DATABASE_URL: toUrl(database),
    JWT_SECRET: testJwtSecret,
    ADMIN_PASSWORD: 'correct horse battery',
    ...environment,
  });
}
