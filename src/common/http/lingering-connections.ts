import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors/app-error.js';
import { BodyReader } from './body-reader.js';

export interface LingerLimits {
  /** How long a connection stays open without receiving anything. */
  readonly idleMilliseconds: number;
  /** Maximum time that a connection stays open. */
  readonly totalMilliseconds: number;
  /** Maximum number of bytes discarded for one connection. */
  readonly bytes: number;
  /** Maximum number of lingering connections. The next one replaces the oldest. */
  readonly connections: number;
}

/** Announced bodies up to this size are worth discarding to keep the connection. */
const cheapBytes = 64 * 1024;

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

  /**
   * Prepares a response whose request hasn't been read completely. Many clients write the whole body before they read.
   * Small bodies are discarded and the connection stays usable; otherwise, the response announces `Connection: close`
   * and the connection lingers. Call it before the headers are sent.
   */
  discardBody(request: IncomingMessage, response: ServerResponse): void {
    const { socket, headers } = request;
    const announced = headers['content-length'];
    const isChunked = headers['transfer-encoding'] !== undefined;
    // A request without a body is complete only after its handler was called.
    if (!isChunked && (announced === undefined || announced === '0')) return;
    BodyReader.fail(request, new AppError('malformed-request', 'The body was not read to its end.'));
    request.resume();
    // Node calls this after a response that announces it.
    socket.destroySoon = () => this.close(socket);
    const hasStalled = response.statusCode === 408;
    if (isChunked || hasStalled || Number(announced) > cheapBytes) {
      response.setHeader('connection', 'close');
      return;
    }
    response.once('finish', () => this.closeUnlessComplete(request));
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
  private closeUnlessComplete(request: IncomingMessage): void {
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
    // After a reset by the client, `close` follows.
    socket.on('error', () => undefined);
    socket.resume();
    // After it has resumed: only the listeners of the HTTP parser can make it readable again.
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
