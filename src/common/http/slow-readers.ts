import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

/** Limits for clients that don't read their responses. */
export interface ReaderLimits {
  /** How long a client may take to accept more of a waiting response. */
  readonly idleMilliseconds: number;
  /** Maximum number of unsent bytes on all connections together. */
  readonly unsentBytes: number;
  /** How often unsent bytes are counted. */
  readonly checkIntervalMilliseconds: number;
}

/**
 * Disconnects clients that stop reading their response, on all routes, and those with the most unsent bytes if all
 * together have too many. Costs requests nothing: it uses the timers that Node keeps for each connection.
 *
 * @param isServing whether a request of the connection is in flight
 */
export function disconnectSlowReaders(
  server: Server,
  limits: ReaderLimits,
  isServing: (socket: Socket) => boolean,
  logger: Logger,
): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // The timer restarts with each byte that is received, or accepted by the client.
  server.timeout = limits.idleMilliseconds;
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) {
      logger.warn(
        { unsentBytes: socket.writableLength },
        'A client stopped reading its response and was disconnected.',
      );
    }
    // An idle request is waiting for an engine, an upstream or its body, which have their own time limits.
    if (socket.writableLength > 0 || !isServing(socket)) socket.destroy();
  });
  const timer = setInterval(
    () => boundUnsentBytes(sockets, limits.unsentBytes, logger),
    limits.checkIntervalMilliseconds,
  );
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

function boundUnsentBytes(sockets: ReadonlySet<Socket>, maxBytes: number, logger: Logger): void {
  let total = 0;
  for (const { writableLength } of sockets) total += writableLength;
  if (total <= maxBytes) return;
  for (const socket of [...sockets].sort((one, other) => other.writableLength - one.writableLength)) {
    if (total <= maxBytes) return;
    total -= socket.writableLength;
    logger.warn(
      { unsentBytes: socket.writableLength },
      'Too many response bytes were unsent: the client with the most was disconnected.',
    );
    socket.destroy();
  }
}
