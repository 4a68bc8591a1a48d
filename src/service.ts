import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type FirstStart, seedFirstStart } from './auth/first-start.js';
import { closeApp, quietMilliseconds } from './close-app.js';
import { flushLog } from './common/logging/standard-output.js';
import type { ModelDefinition } from './config/model-definition.js';
import type { Config } from './config/read-config.js';
import { ReadinessService } from './health/readiness.service.js';
import { prepare } from './prepare.js';
import { serve } from './serve.js';

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

/** Starts the service; it serves requests when the promise resolves. */
export type StartService = (
  config: Config,
  logger: Logger,
  /** Called with the reason if the embedded database can't be kept running. */
  onDatabaseLost: (reason: string) => void,
) => Promise<Service>;

/**
 * Starts the service in this process.
 *
 * @throws StartupError if the operator has to fix something; nothing is left running
 */
export const startService: StartService = async (config, logger, onDatabaseLost) => {
  const { stop: stopDatabase, ...foundation } = await prepare(config, logger, onDatabaseLost);
  try {
    const { app, url } = await serve(config, foundation, logger);
    // After listening: a failed start would create the administrator and lose the password.
    const administrator = { email: config.adminEmail, password: config.adminPassword };
    const firstStart = await seedFirstStart(app.get(DataSource), administrator);
    app.get(ReadinessService).enter('running');
    const stop: Service['stop'] = async ({ drain, cut }) => {
      const drainMilliseconds = drain ? config.drainSeconds * 1000 : 0;
      const limits = { drainMilliseconds, quietMilliseconds, stopMilliseconds: config.stopSeconds * 1000 };
      await closeApp(app, limits, logger, cut);
      await stopDatabase();
      await flushLog(logger);
    };
    return { url, firstStart, models: foundation.modelsFile.models, stop };
  } catch (error) {
    await stopDatabase();
    throw error;
  }
};
