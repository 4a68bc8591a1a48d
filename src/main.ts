import 'reflect-metadata';
import { banner } from './banner.js';
import { createLogger } from './common/logging/logger.js';
import { StartupError } from './common/startup-error.js';
import { readConfig, readEnvironment } from './config/read-config.js';
import { type Service, startService } from './service.js';

const starting = start();
let isStopping = false;

async function start(): Promise<Service> {
  try {
    const config = readConfig(readEnvironment());
    const service = await startService(config, createLogger(config.logLevel));
    console.log(banner(service, config));
    return service;
  } catch (error) {
    console.error(error instanceof StartupError ? `Keycard cannot start: ${error.message}` : error);
    process.exit(1);
  }
}

/** Also in the middle of a start, which is then completed first: a database that is half started cannot be stopped. */
async function stop(signal: NodeJS.Signals): Promise<void> {
  // npm passes Ctrl-C on to us although the terminal has sent it already.
  if (isStopping) return;
  isStopping = true;
  console.log(`Stopping on ${signal}: finishing what is in flight.`);
  await (await starting).stop();
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
