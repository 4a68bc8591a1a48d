import 'reflect-metadata';
import { banner } from './banner.js';
import { createLogger } from './common/logging/logger.js';
import { StartupError } from './common/startup-error.js';
import { readConfig, readEnvironment } from './config/read-config.js';
import { type Service, startService } from './service.js';

let service: Service | undefined;
let isStopping = false;

async function stop(signal: NodeJS.Signals): Promise<void> {
  // npm passes Ctrl-C on to us although the terminal has sent it already.
  if (isStopping) return;
  isStopping = true;
  console.log(`Stopping on ${signal}: finishing what is in flight.`);
  await service?.stop();
  // Log lines are written out on exit, and an embedded database that was only just started is stopped.
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));

try {
  const config = readConfig(readEnvironment());
  const logger = createLogger(config.logLevel);
  service = await startService(config, logger);
  console.log(banner(service, config));
} catch (error) {
  console.error(error instanceof StartupError ? `Keycard cannot start: ${error.message}` : error);
  process.exit(1);
}
