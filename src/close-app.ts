import type { Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { ReadinessService } from './health/readiness.service.js';

const checkIntervalMilliseconds = 20;
const inFlight = new WeakMap<Server, number>();

/** Counts the requests that are being answered; to be called before the application listens. */
export function countRequestsInFlight(server: Server): void {
  inFlight.set(server, 0);
  const add = (difference: number) => inFlight.set(server, (inFlight.get(server) ?? 0) + difference);
  server.on('request', (_request, response) => {
    add(1);
    response.once('close', () => add(-1));
  });
}

/**
 * Stops accepting, lets requests in flight finish, and cuts off those that take longer than allowed.
 *
 * Once nothing is in flight every connection is closed: Node would wait for those that a client has opened ahead
 * and not used yet, as browsers do.
 */
export async function closeApp(app: NestFastifyApplication, drainMilliseconds: number, logger: Logger): Promise<void> {
  app.get(ReadinessService).enter('stopping');
  const server: Server = app.getHttpServer();
  const deadline = performance.now() + drainMilliseconds;
  const timer = setInterval(() => {
    const isLate = performance.now() > deadline;
    if (server.listening || (inFlight.get(server) !== 0 && !isLate)) return;
    if (isLate) logger.warn(`Requests were still in flight after ${drainMilliseconds / 1000} s and were cut off.`);
    server.closeAllConnections();
  }, checkIntervalMilliseconds);
  await app.close().finally(() => clearInterval(timer));
}
