import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { seedFirstStart } from '../auth/first-start.js';
import { closeApp, quietMilliseconds } from './close-app.js';
import type { Config } from '../config/read-config.js';
import { ReadinessService } from '../health/readiness.service.js';
import type { Foundation } from './prepare-start.js';
import { createAndListen } from './create-and-listen.js';
import type { Service, StopOptions } from './start-service.js';

interface ServingInOneProcess extends Pick<Service, 'url' | 'firstStart'> {
  /** Stops accepting requests and finishes those in flight. */
  close: (options: StopOptions) => Promise<void>;
}

/**
 * Serves requests in this process only.
 *
 * @throws StartupError if the operator has to fix something
 */
export async function serveInOneProcess(
  config: Config,
  foundation: Foundation,
  logger: Logger,
): Promise<ServingInOneProcess> {
  const { app, url } = await createAndListen(config, foundation, logger);
  // After listening: a failed start would create the administrator and lose the password.
  const administrator = { email: config.adminEmail, password: config.adminPassword };
  const firstStart = await seedFirstStart(app.get(DataSource), administrator);
  app.get(ReadinessService).enter('running');
  const close: ServingInOneProcess['close'] = async ({ drain, cut }) => {
    const drainMilliseconds = drain ? config.drainSeconds * 1000 : 0;
    const limits = { drainMilliseconds, quietMilliseconds, stopMilliseconds: config.stopSeconds * 1000 };
    await closeApp(app, limits, logger, cut);
  };
  return { url, firstStart, close };
}
