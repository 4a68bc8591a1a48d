import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

/** Limits for clients that do not read their responses. */
export interface ReaderLimits {
  /** How long a client may take to accept more of a response that is waiting for it. */
  readonly idleMilliseconds: number;
  /** Bytes of responses that all connections together may have waiting for their clients. */
  readonly unsentBytes: number;
  /** How often the bytes are counted. */
  readonly checkIntervalMilliseconds: number;
}

/**
 * Disconnects clients that stop reading their response, on all routes, and those with the most unsent bytes when all
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
  // The timer starts again with each byte that is received, or accepted by the client.
  server.timeout = limits.idleMilliseconds;
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) {
      logger.warn(
        { unsentBytes: socket.writableLength },
        'A client stopped reading its response and was disconnected.',
      );
    }
    // An idle request is waiting for an engine, an upstream or its own body, which has a time limit of its own.
    if (socket.writableLength > 0 || !isServing(socket)) socket.destroy();
  });
  const timer = setInterval(
    () => boundUnsentBytes(sockets, limits.unsentBytes, logger),
    limits.checkIntervalMilliseconds,
  );
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

function boundUnsentBytes(sockets: ReadonlySet<Socket>, limitBytes: number, logger: Logger): void {
  let total = 0;
  for (const { writableLength } of sockets) total += writableLength;
  if (total <= limitBytes) return;
  for (const socket of [...sockets].sort((one, other) => other.writableLength - one.writableLength)) {
    if (total <= limitBytes) return;
    total -= socket.writableLength;
    logger.warn(
      { unsentBytes: socket.writableLength },
      'Too many bytes were waiting for clients to read them: the client with the most was disconnected.',
    );
    socket.destroy();
  }
}
