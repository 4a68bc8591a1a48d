import { testJwtSecret, type TestApp } from '../setup/test-app.js';
import { runService, type ServiceProcess } from './service-process.js';

/** Starts a replica in a process of its own on the database of an application. */
export function runReplica({ database }: TestApp, environment: Record<string, string> = {}): ServiceProcess {
  return runService({
    DATABASE_URL: urlOf(database),
    JWT_SECRET: testJwtSecret,
    ADMIN_PASSWORD: 'correct horse battery',
    ...environment,
  });
}

function urlOf({ connectionString, host, user, password, database }: TestApp['database']): string {
  if (connectionString !== undefined) return connectionString;
  const query = new URLSearchParams({ host: host ?? '', user: user ?? '', password: String(password ?? '') });
  return `postgresql:///${database}?${query.toString()}`;
}
