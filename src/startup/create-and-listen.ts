import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { createApp } from './create-app.js';
import { errorCode } from '../common/errors/error-utils.js';
import { listenOn } from '../common/http/listen.js';
import { projectFolder } from '../common/package-info.js';
import { StartupError } from '../common/startup-error.js';
import type { InstanceShare } from '../common/instance-share.js';
import type { Config } from '../config/read-config.js';
import { historyFileIn } from '../database/history/history-file.js';
import type { Foundation } from './prepare-start.js';

const dashboardFolder = path.join(projectFolder, 'dashboard', 'dist');

/** A listening application. */
export interface Serving {
  app: NestFastifyApplication;
  /** Such as `http://127.0.0.1:3000`. */
  url: string;
}

/**
 * Creates the application and listens.
 *
 * @throws StartupError if the operator has to fix something
 */
export async function createAndListen(
  config: Omit<Config, 'readSecret'>,
  { modelsFile, ...foundation }: Foundation,
  logger: Logger,
  instanceShare?: InstanceShare,
): Promise<Serving> {
  const metrics = chooseMetrics(config, instanceShare);
  const files = { dashboardFolder, historyFile: historyFileIn(config.dataDir) };
  const app = await createApp({ ...config, ...foundation, ...modelsFile, ...files, metrics, instanceShare }, logger);
  return { app, url: await listen(app, config) };
}

function chooseMetrics(
  { host, metricsPort: port }: Pick<Config, 'host' | 'metricsPort'>,
  instanceShare: InstanceShare | undefined,
) {
  if (port === undefined) return undefined;
  return instanceShare === undefined ? { host, port } : 'by-primary';
}

async function listen(app: NestFastifyApplication, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
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
