import type { Server } from 'node:http';
import type { Logger } from 'pino';

const logIntervalMilliseconds = 60_000;

/** Closes connections beyond the limit as soon as they are accepted. Clients see a closed connection and may retry. */
export function limitConnections(server: Server, maxConnections: number, logger: Logger): void {
  let dropped = 0;
  let loggedAt = -Infinity;
  server.maxConnections = maxConnections;
  server.on('drop', () => {
    dropped += 1;
    if (performance.now() - loggedAt < logIntervalMilliseconds) return;
    loggedAt = performance.now();
    logger.warn({ dropped }, `Connections were closed: MAX_CONNECTIONS is ${maxConnections}.`);
    dropped = 0;
  });
}
