import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { createApp } from '../../src/startup/create-app.js';
import { closeApp, type ShutdownLimits } from '../../src/startup/close-app.js';
import { listenOn } from '../../src/common/http/listen.js';
import { createLogger } from '../../src/common/logging/logger.js';
import { readConfig } from '../../src/config/read-config.js';
import type { ServiceConfig } from '../../src/config/service-config.js';
import { ReadinessService } from '../../src/health/readiness.service.js';
import { createTestDatabase } from './test-database.js';

export const testJwtSecret = 'the secret of the tests, longer than 32 bytes';

export interface TestApp {
  app: NestFastifyApplication;
  /** Base URL, such as `http://127.0.0.1:41234`. */
  url: string;
  database: DatabaseConnection;
  /** Runs SQL on the app's database. */
  query: <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>;
  /** Everything logged so far, one JSON object per line. */
  logLines: string[];
  /** Stops the app, by default without waiting for idle connections. Later calls do nothing. `cut` aborts all waiting. */
  stop: (limits?: Partial<ShutdownLimits>, cut?: AbortSignal) => Promise<void>;
}

export interface TestAppOptions {
  /** Another app's database, by default a new one. */
  database?: DatabaseConnection;
  config?: Partial<ServiceConfig>;
  /** Adds routes for the test before the app listens. */
  addRoutes?: (fastify: FastifyInstance, app: NestFastifyApplication, logger: Logger) => void;
  host?: string;
}

/** Starts the app on a free port, by default with its own database. */
export async function startTestApp({
  database: shared,
  config,
  addRoutes,
  host = '127.0.0.1',
}: TestAppOptions = {}): Promise<TestApp> {
  const own = shared === undefined ? await createTestDatabase() : undefined;
  const database = shared ?? own?.connection;
  if (database === undefined) throw new Error('The app has no database.');
  const logLines: string[] = [];
  const logger = createLogger('trace', { write: (line: string) => void logLines.push(line) });
  const settings = {
    ...readConfig({}),
    database,
    jwtSecrets: [testJwtSecret] as const,
    models: defaultModels(),
    services: [],
    dashboardFolder: undefined,
  };
  const app = await createApp({ ...settings, ...config }, logger);
  addRoutes?.(app.getHttpAdapter().getInstance(), app, logger);
  const url = await listenOn(app.getHttpAdapter().getInstance(), host, 0);
  app.get(ReadinessService).enter('running');
  const close = async (limits?: Partial<ShutdownLimits>, cut?: AbortSignal) => {
    const defaults = { drainMilliseconds: 0, quietMilliseconds: 0, stopMilliseconds: 10_000 };
    await closeApp(app, { ...defaults, ...limits }, logger, cut);
    await own?.drop();
  };
  let stopped: Promise<void> | undefined;
  const stop: TestApp['stop'] = (limits, cut) => (stopped ??= close(limits, cut));
  const query = <Row>(sql: string, parameters?: unknown[]) => app.get(DataSource).query<Row[]>(sql, parameters);
  return { app, url, database, query, logLines, stop };
}
