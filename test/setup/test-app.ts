import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import { DataSource } from 'typeorm';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { createApp } from '../../src/app.setup.js';
import { closeApp } from '../../src/close-app.js';
import { createLogger } from '../../src/common/logging/logger.js';
import { readConfig } from '../../src/config/read-config.js';
import type { ServiceConfig } from '../../src/config/service-config.js';
import { ReadinessService } from '../../src/health/readiness.service.js';
import { createTestDatabase } from './test-database.js';

export const testJwtSecret = 'the secret of the tests, longer than 32 bytes';

export interface TestApp {
  app: NestFastifyApplication;
  /** Where it listens, such as `http://127.0.0.1:41234`. */
  url: string;
  database: ClientConfig;
  /** Runs SQL beside the application. */
  query: <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>;
  /** Everything it has logged so far, one JSON text a line. */
  logLines: string[];
  stop: () => Promise<void>;
}

export interface TestAppOptions {
  /** Shares another application's database; by default it gets one of its own. */
  database?: ClientConfig;
  config?: Partial<ServiceConfig>;
  /** Adds routes of the test's own, before it listens. */
  addRoutes?: (fastify: FastifyInstance) => void;
}

/** The real application on a free port, with a database of its own unless told otherwise. */
export async function startTestApp({ database: shared, config, addRoutes }: TestAppOptions = {}): Promise<TestApp> {
  const own = shared === undefined ? await createTestDatabase() : undefined;
  const database = shared ?? own?.connection ?? {};
  const logLines: string[] = [];
  const logger = createLogger('trace', { write: (line: string) => void logLines.push(line) });
  const settings = {
    ...readConfig({}),
    database,
    jwtSecret: testJwtSecret,
    models: defaultModels(),
    dashboardFolder: undefined,
  };
  const app = await createApp({ ...settings, ...config }, logger);
  addRoutes?.(app.getHttpAdapter().getInstance());
  await app.listen(0, '127.0.0.1');
  app.get(ReadinessService).enter('running');
  const stop = async () => {
    await closeApp(app, 10_000, logger);
    await own?.drop();
  };
  const query = <Row>(sql: string, parameters?: unknown[]) => app.get(DataSource).query<Row[]>(sql, parameters);
  return { app, url: await app.getUrl(), database, query, logLines, stop };
}
