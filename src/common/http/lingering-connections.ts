import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

export interface LingerLimits {
  /** How long a connection stays open without receiving anything. */
  readonly idleMilliseconds: number;
  /** How long a connection stays open at most. */
  readonly totalMilliseconds: number;
  /** How many bytes are discarded for one connection. */
  readonly bytes: number;
  /** How many connections may linger. The next one replaces the oldest. */
  readonly connections: number;
}

/**
 * Connections whose last response is sent while the client may still be sending. Closing such a connection resets it
 * when unread bytes arrive, and a reset discards the response before the client has read it. So the connection ends
 * with a FIN, and incoming bytes are discarded until the client closes it or a limit is reached (RFC 9112 §9.6).
 */
export class LingeringConnections {
  private readonly sockets = new Set<Socket>();

  constructor(private readonly limits: LingerLimits) {}

  has(socket: Socket): boolean {
    return this.sockets.has(socket);
  }

  /** Closes a connection once everything written to it is sent. Requests that still arrive on it are not served. */
  close(socket: Socket): void {
    if (socket.destroyed || this.sockets.has(socket)) return;
    this.makeRoom();
    this.sockets.add(socket);
    this.discard(socket);
    const destroy = () => socket.destroy();
    const timer = setTimeout(destroy, this.limits.totalMilliseconds);
    socket.setTimeout(this.limits.idleMilliseconds, destroy);
    socket.once('close', () => {
      clearTimeout(timer);
      this.sockets.delete(socket);
    });
    socket.end();
  }

  /** Closes the connection of a request unless the rest of its body arrives soon. */
  closeUnlessComplete(request: IncomingMessage): void {
    if (request.complete) return;
    const { socket } = request;
    const timer = setTimeout(() => this.close(socket), this.limits.idleMilliseconds);
    const stop = () => {
      clearTimeout(timer);
      request.off('end', stop);
      socket.off('close', stop);
    };
    request.once('end', stop);
    socket.once('close', stop);
  }

  private makeRoom(): void {
    if (this.sockets.size < this.limits.connections) return;
    for (const oldest of this.sockets) {
      this.sockets.delete(oldest);
      oldest.destroy();
      return;
    }
  }

  private discard(socket: Socket): void {
    // A client that resets the connection is gone, which `close` reports as well.
    socket.on('error', () => undefined);
    socket.resume();
    // Not before it has resumed: only the listeners of the HTTP parser can make it readable again.
    process.nextTick(() => {
      let bytesLeft = this.limits.bytes;
      // Takes the connection from the HTTP parser, which would serve a pipelined request.
      socket.removeAllListeners('data');
      socket.on('data', (chunk: Buffer) => {
        bytesLeft -= chunk.length;
        if (bytesLeft < 0) socket.destroy();
      });
    });
  }
}
