import type { Logger } from 'pino';
import { flushLog } from '../common/logging/standard-output.js';
import type { Config } from '../config/read-config.js';
import type { MetricsServer } from '../metrics/serve-metrics.js';
import { prepareStart } from '../startup/prepare-start.js';
import type { Service, StartService } from '../startup/start-service.js';
import { Supervisor } from './supervisor.js';

/**
 * Starts the service in several processes that share the port. This one, the primary, serves no requests: it runs the
 * embedded database, migrates, supervises the instances and adds up their metrics.
 *
 * @throws StartupError if the operator has to fix something; nothing is left running
 */
export const startCluster: StartService = async ({ readSecret, ...config }, logger, onDatabaseLost) => {
  const supervisor = new Supervisor(config.workers, logger);
  let metrics: MetricsServer | undefined;
  let stopDatabase = () => Promise.resolve();
  const release = async () => {
    await metrics?.close();
    await stopDatabase();
  };
  try {
    const { stop, ...foundation } = await prepareStart({ ...config, readSecret }, logger, onDatabaseLost);
    stopDatabase = stop;
    metrics = await serveMetrics(supervisor, config, logger);
    const { url, firstStart } = await supervisor.start({ config, foundation });
    const stopService: Service['stop'] = async ({ drain, cut }) => {
      const drainMilliseconds = drain ? config.drainSeconds * 1000 : 0;
      await supervisor.stop({ drainMilliseconds, stopMilliseconds: config.stopSeconds * 1000, cut });
      await release();
      await flushLog(logger);
    };
    return { url, firstStart, models: foundation.modelsFile.models, stop: stopService };
  } catch (error) {
    await supervisor.kill();
    await release();
    throw error;
  }
};

/** Loads the code only with `METRICS_PORT`, because it would slow down every start. */
async function serveMetrics(
  supervisor: Supervisor,
  { host, metricsPort: port }: Pick<Config, 'host' | 'metricsPort'>,
  logger: Logger,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  const { ClusterMetrics } = await import('./cluster-metrics.js');
  const { serveMetrics } = await import('../metrics/serve-metrics.js');
  const metrics = new ClusterMetrics(supervisor);
  return serveMetrics(() => metrics.read(), { host, port }, logger);
}
