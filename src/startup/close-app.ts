import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { OpenConnections } from '../common/http/open-connections.js';
import { ReadinessService } from '../health/readiness.service.js';

const checkIntervalMilliseconds = 20;
/** Time limit for closing database connections and engines. */
export const releaseMilliseconds = 10_000;

/** How long idle connections of the service are kept open when it stops. */
export const quietMilliseconds = 1000;

/** Time limits of a shutdown. */
export interface ShutdownLimits {
  /** How long requests are accepted while `/health/ready` returns 503, so that load balancers notice. */
  drainMilliseconds: number;
  /** How long idle connections are kept open after that. */
  quietMilliseconds: number;
  /** Time limit for requests in flight after that. */
  stopMilliseconds: number;
}

/**
 * Stops the application without failing requests, in three steps: readiness fails while requests are still served; the
 * listener closes; requests in flight finish.
 *
 * @param cut aborts all waiting
 */
export async function closeApp(
  app: NestFastifyApplication,
  limits: ShutdownLimits,
  logger: Logger,
  cut: AbortSignal = new AbortController().signal,
): Promise<void> {
  await drain(app, limits.drainMilliseconds, cut);
  await OpenConnections.of(app.getHttpServer()).stopListening();
  await finishRequests(app, limits, logger, cut);
}

/** Fails readiness and keeps serving requests. Every response has `Connection: close`. */
export async function drain(
  app: NestFastifyApplication,
  milliseconds: ShutdownLimits['drainMilliseconds'],
  cut: AbortSignal,
): Promise<void> {
  app.get(ReadinessService).enter('stopping');
  const connections = OpenConnections.of(app.getHttpServer());
  connections.announceClose();
  await poll(milliseconds, cut, () => {
    connections.observe();
    return false;
  });
}

/** Closes connections after their request, then everything else. Call it when the application doesn't listen anymore. */
export async function finishRequests(
  app: NestFastifyApplication,
  { quietMilliseconds, stopMilliseconds }: Omit<ShutdownLimits, 'drainMilliseconds'>,
  logger: Logger,
  cut: AbortSignal,
): Promise<void> {
  const connections = OpenConnections.of(app.getHttpServer());
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

/** Closes connections and engines, within a time limit: an unresponsive database must not block the exit. */
async function release(app: NestFastifyApplication, logger: Logger): Promise<void> {
  const timer = new AbortController();
  const late = delay(releaseMilliseconds, 'late', { signal: timer.signal }).catch(() => 'in time');
  try {
    if ((await Promise.race([app.close(), late])) === 'late') {
      logger.warn('Database connections or engines did not close in time.');
    }
  } finally {
    timer.abort();
  }
}
