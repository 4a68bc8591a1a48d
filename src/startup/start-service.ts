import type { Logger } from 'pino';
import type { FirstStart } from '../auth/first-start.js';
import { flushLog } from '../common/logging/standard-output.js';
import type { ModelDefinition } from '../config/model-definition.js';
import type { Config } from '../config/read-config.js';
import { prepareStart } from './prepare-start.js';

export interface StopOptions {
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
  // The application loads while the embedded database starts.
  const [{ stop: stopDatabase, ...foundation }, { serveInOneProcess }] = await Promise.all([
    prepareStart(config, logger, onDatabaseLost),
    import('./serve-in-one-process.js'),
  ]);
  try {
    const { url, firstStart, close } = await serveInOneProcess(config, foundation, logger);
    const stop: Service['stop'] = async (options) => {
      await close(options);
      await stopDatabase();
      await flushLog(logger);
    };
    return { url, firstStart, models: foundation.modelsFile.models, stop };
  } catch (error) {
    await stopDatabase();
    throw error;
  }
};
