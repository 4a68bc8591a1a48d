import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { defaultModels } from './ai-gateway/models/default-models.js';
import type { ModelDefinition } from './config/model-definition.js';
import type { ModelsFile } from './ai-gateway/models/models-file/models-schema.js';
import { createApp } from './app.setup.js';
import { closeApp } from './close-app.js';
import { errorCode } from './common/errors/error-utils.js';
import { listenOn } from './common/http/listen.js';
import { flushLog } from './common/logging/standard-output.js';
import { projectFolder } from './common/package-info.js';
import { StartupError } from './common/startup-error.js';
import { loadOrGenerateJwtSecrets } from './config/jwt-secret.js';
import type { Config } from './config/read-config.js';
import { defaultCurrency } from './config/service-config.js';
import { checkDatabase } from './database/check-database.js';
import type { Supervision } from './database/embedded-postgres/held-postgres.js';
import { startEmbeddedPostgres } from './database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from './database/migrate.js';
import { ReadinessService } from './health/readiness.service.js';
import { type FirstStart, seedFirstStart } from './auth/first-start.js';

/** Time limit for writing the last log lines. */
const logFlushMilliseconds = 1000;
/** How long idle connections are kept open when the service stops. */
const quietMilliseconds = 1000;

const dashboardFolder = path.join(projectFolder, 'dashboard', 'dist');

interface StopOptions {
  /** Keep accepting requests for `DRAIN_SECONDS`, so that load balancers notice. */
  drain: boolean;
  /** Aborts all waiting. */
  cut?: AbortSignal;
}

export interface Service {
  /** Such as `http://127.0.0.1:3000`. */
  url: string;
  /** The created administrator; undefined except on the first start. */
  firstStart: FirstStart | undefined;
  /** The served models. */
  models: readonly ModelDefinition[];
  /** Stops accepting requests, finishes those in flight and stops the embedded database. */
  stop: (options: StopOptions) => Promise<void>;
}

interface Database {
  connection: ClientConfig;
  stop: () => Promise<void>;
}

/**
 * Starts the service; it serves requests when the promise resolves.
 *
 * @param onDatabaseLost called with the reason if the embedded database can't be kept running
 * @throws StartupError if the operator has to fix something; nothing is left running
 */
export async function startService(
  config: Config,
  logger: Logger,
  onDatabaseLost: (reason: string) => void,
): Promise<Service> {
  const modelsFile = await readModels(config);
  const database = await openDatabase(config, { logger, onGiveUp: onDatabaseLost });
  try {
    const jwtSecrets = config.jwtSecret ?? loadOrGenerateJwtSecrets(config.dataDir);
    await migrate(database.connection, { logger });
    const { host, metricsPort } = config;
    const metrics = metricsPort === undefined ? undefined : { host, port: metricsPort };
    const settings = { ...config, metrics, jwtSecrets, database: database.connection, ...modelsFile, dashboardFolder };
    const app = await createApp(settings, logger);
    const url = await listen(app, config);
    // After listening: a failed start would create the administrator and lose the password.
    const administrator = { email: config.adminEmail, password: config.adminPassword };
    const firstStart = await seedFirstStart(app.get(DataSource), administrator);
    app.get(ReadinessService).enter('running');
    const stop = async ({ drain, cut }: StopOptions) => {
      const drainMilliseconds = drain ? config.drainSeconds * 1000 : 0;
      const limits = { drainMilliseconds, quietMilliseconds, stopMilliseconds: config.stopSeconds * 1000 };
      await closeApp(app, limits, logger, cut);
      await database.stop();
      await flushLog(logger, logFlushMilliseconds);
    };
    return { url, firstStart, models: modelsFile.models, stop };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function readModels({ modelsFile, dataDir, readSecret, ocrLanguages }: Config): Promise<ModelsFile> {
  if (modelsFile === undefined) return { models: defaultModels(ocrLanguages), services: [], currency: defaultCurrency };
  const downloadFolder = path.join(dataDir, 'models');
  // Loaded only here, because its parser would slow down every start.
  const { readModelsFile } = await import('./ai-gateway/models/models-file/read-models-file.js');
  return readModelsFile(modelsFile, { readSecret, downloadFolder, ocrLanguages });
}

async function openDatabase(config: Config, supervision: Supervision): Promise<Database> {
  if (config.databaseUrl === undefined) return startEmbeddedPostgres(config.dataDir, { supervision });
  const connection = { connectionString: config.databaseUrl };
  await checkDatabase(connection);
  return { connection, stop: () => Promise.resolve() };
}

async function listen(app: NestFastifyApplication, { host, port }: Config): Promise<string> {
  try {
    return toLocalUrl(await listenOn(app.getHttpAdapter().getInstance(), host, port));
  } catch (error) {
    await app.close();
    throw explainListenError(error, host, port);
  }
}

/** Replaces a wildcard IP address with loopback, which can be opened on this machine. */
function toLocalUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function explainListenError(error: unknown, host: string, port: number): unknown {
  switch (errorCode(error) ?? '') {
    case 'EADDRINUSE':
      return new StartupError(`PORT ${port} on ${host} is in use by another process; stop it or set another PORT.`);
    case 'EACCES':
      return new StartupError(`PORT ${port} needs privileges that this user does not have; set a PORT above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(`HOST ${host} is not an IP address of this machine.`);
    default:
      return error;
  }
}
