import 'reflect-metadata';
import { banner } from './banner.js';
import { createLogger } from './common/logging/logger.js';
import { StartupError } from './common/startup-error.js';
import { readConfig, readEnvironment } from './config/read-config.js';
import { startService } from './service.js';

try {
  const config = readConfig(readEnvironment());
  const logger = createLogger(config.logLevel);
  const service = await startService(config, logger);
  console.log(banner(service, config));

  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    // npm passes Ctrl-C on to us although the terminal has sent it already.
    if (isStopping) return;
    isStopping = true;
    console.log(`Stopping on ${signal}: finishing what is in flight.`);
    await service.stop();
    logger.flush();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
} catch (error) {
  console.error(error instanceof StartupError ? `Keycard cannot start: ${error.message}` : error);
  process.exit(1);
}
