import 'reflect-metadata';
import { banner } from './startup/banner.js';
import { createLogger } from './common/logging/logger.js';
import { StartupError } from './common/startup-error.js';
import { letYoungGenerationGrow, setUpYoungGeneration } from './common/young-generation.js';
import { ignorePostgresVariables } from './config/database-connection.js';
import { type Config, readConfig, readEnvironment } from './config/read-config.js';
import type { Service, StartService } from './startup/start-service.js';

/** npm forwards signals that the terminal or service manager has already sent; the second one arrives within this time. */
const sameSignalMilliseconds = 1000;

// `pg` asks `navigator` whether it runs on Cloudflare. Node 20 has none, so `pg` would load `fetch` to find out.
if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { userAgent: 'Node.js' } });
setUpYoungGeneration();
// The bundle loads with source maps from here on, so that stack traces name our sources.
process.setSourceMapsEnabled(true);

const starting = start();
const cut = new AbortController();
let isReady = false;
let stoppingSince: number | undefined;

async function start(): Promise<Service> {
  try {
    const ignored = ignorePostgresVariables();
    if (ignored !== undefined) console.warn(ignored);
    const config = readConfig(readEnvironment());
    // Takes most of the start; problems in the configuration are reported before.
    const startService = await loadStart(config);
    const service = await startService(config, createLogger(config.logLevel), exitWithoutDatabase);
    console.log(banner(service, config, process.stdout.isTTY));
    isReady = true;
    letYoungGenerationGrow();
    return service;
  } catch (error) {
    console.error(error instanceof StartupError ? `Keycard cannot start: ${error.message}` : error);
    process.exit(1);
  }
}

/** Loads the service, or with several instances only what supervises them. */
async function loadStart({ workers }: Pick<Config, 'workers'>): Promise<StartService> {
  if (workers === 1) return (await import('./startup/start-service.js')).startService;
  return (await import('./cluster/start-cluster.js')).startCluster;
}

function exitWithoutDatabase(reason: string): void {
  console.error(`Keycard stops: ${reason}`);
  process.exit(1);
}

/**
 * Stops on a signal. A start in progress completes first, because a half-started database can't be stopped. Only SIGTERM
 * keeps serving for `DRAIN_SECONDS`: after Ctrl-C or a closed terminal, a person is waiting. A second signal cuts off
 * requests in flight.
 */
async function stop(signal: NodeJS.Signals): Promise<void> {
  if (stoppingSince !== undefined) {
    if (performance.now() - stoppingSince > sameSignalMilliseconds) cut.abort();
    return;
  }
  stoppingSince = performance.now();
  const drain = signal === 'SIGTERM' && isReady;
  console.log(`Stopping on ${signal}: finishing requests in flight. Send the signal again to cut them off.`);
  await (await starting).stop({ drain, cut: cut.signal });
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
