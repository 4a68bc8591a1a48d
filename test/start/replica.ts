import { testJwtSecret, type TestApp } from '../setup/test-app.js';
import { runService, type ServiceProcess } from './service-process.js';

/** Starts a replica as a separate process on a database. */
export function runReplica(
  { database }: Pick<TestApp, 'database'>,
  environment: Record<string, string> = {},
): ServiceProcess {
  return runService({
    DATABASE_URL: urlOf(database),
    JWT_SECRET: testJwtSecret,
    ADMIN_PASSWORD: 'correct horse battery',
    ...environment,
  });
}

function urlOf({ host, user, password, database }: TestApp['database']): string {
  const query = new URLSearchParams({ host, user, password });
  return `postgresql:///${database}?${query.toString()}`;
}
