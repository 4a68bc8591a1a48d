import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { OpenConnections } from './common/http/open-connections.js';
import { ReadinessService } from './health/readiness.service.js';

const checkIntervalMilliseconds = 20;
/** How long the database connections and engines may take to end. */
export const releaseMilliseconds = 10_000;

/** Time limits of a shutdown. */
export interface ShutdownLimits {
  /** How long requests are accepted although `/health/ready` is 503, so that load balancers notice. */
  drainMilliseconds: number;
  /** How long a connection without a request is kept after that. */
  quietMilliseconds: number;
  /** How long requests in flight may take after that. */
  stopMilliseconds: number;
}

/**
 * Stops the application without failing a request. Readiness fails first while requests are still served, and every
 * response has `Connection: close`. Then the listener closes, and connections end when their request is served.
 *
 * @param cut ends the wait for anything
 */
export async function closeApp(
  app: NestFastifyApplication,
  { drainMilliseconds, quietMilliseconds, stopMilliseconds }: ShutdownLimits,
  logger: Logger,
  cut: AbortSignal = new AbortController().signal,
): Promise<void> {
  app.get(ReadinessService).enter('stopping');
  const connections = OpenConnections.of(app.getHttpServer());
  connections.announceClose();
  await poll(drainMilliseconds, cut, () => {
    connections.observe();
    return false;
  });
  await connections.stopListening();
  const hasFinished = await poll(stopMilliseconds, cut, () => {
    connections.endQuiet(quietMilliseconds);
    return connections.count === 0;
  });
  if (!hasFinished && connections.requestsInFlight > 0) {
    logger.warn({ requests: connections.requestsInFlight }, 'Requests still in flight were cut off.');
  }
  connections.destroy();
  await release(app, logger);
}

/** Repeats a check until it is true, time is up or the signal aborts. */
async function poll(milliseconds: number, cut: AbortSignal, check: () => boolean): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!check()) {
    if (cut.aborted || performance.now() >= deadline) return false;
    await delay(checkIntervalMilliseconds);
  }
  return true;
}

/** A database that has stopped responding must not keep the process from exiting. */
async function release(app: NestFastifyApplication, logger: Logger): Promise<void> {
  const timer = new AbortController();
  const late = delay(releaseMilliseconds, 'late', { signal: timer.signal }).catch(() => 'in time');
  try {
    if ((await Promise.race([app.close(), late])) === 'late') {
      logger.warn('Connections to the database or engines did not close in time.');
    }
  } finally {
    timer.abort();
  }
}
