import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { AppError, routeNotFound } from '../errors/app-error.js';
import { errorCode } from '../errors/error-utils.js';
import { toErrorResponse } from '../errors/error-response.js';
import { BodyReader } from './body-reader.js';
import type { LingeringConnections } from './lingering-connections.js';
import type { OpenConnections } from './open-connections.js';
import { requestIdOf } from './request-hooks.js';

const requestLine = /^[A-Z-]+ (\S+)/;

/** Responds to requests that Node can't read, which never reach Fastify. */
export class ConnectionErrors {
  private connections: OpenConnections | undefined;

  constructor(
    private readonly lingering: LingeringConnections,
    private readonly logger: Logger,
  ) {}

  /** Follows the requests of a server. Call it before the server listens. */
  watch(server: Server, connections: OpenConnections): void {
    this.connections = connections;
    // Node takes the request for a tunnel and hands over its connection.
    server.on('connect', (request: IncomingMessage) => {
      this.respond(request.socket, routeNotFound(), { requestId: requestIdOf(request), url: undefined });
    });
  }

  /** Handles an error of a connection: unreadable input, a late request, or a disconnected client. */
  readonly handle = (error: Error, socket: Socket): void => {
    // Everything after an unreadable request is unreadable, too.
    if (socket.destroyed || this.lingering.has(socket)) return;
    const rejection = toRejection(error);
    if (rejection === undefined || !socket.writable) {
      socket.destroy();
      return;
    }
    const response = this.connections?.responseInFlight(socket);
    if (response === undefined) this.reject(socket, rejection, error);
    else this.rejectAfter(response, socket, rejection, error);
  };

  private reject(socket: Socket, rejection: AppError, error: Error): void {
    // A connection that was opened early and never used: the response would be taken for that to its first request.
    if (socket.bytesRead === 0) this.lingering.close(socket);
    else this.respond(socket, rejection, { requestId: randomUUID(), url: urlOf(error) });
  }

  /** The error concerns the body of a request in flight, or data after that request. */
  private rejectAfter(response: ServerResponse, socket: Socket, rejection: AppError, error: Error): void {
    const { req } = response;
    const isItsBody = !req.complete;
    if (isItsBody) BodyReader.fail(req, rejection);
    response.once('close', () => {
      if (socket.destroyed || this.lingering.has(socket)) return;
      if (isItsBody || errorCode(error) === 'HPE_CLOSED_CONNECTION') this.lingering.close(socket);
      else this.reject(socket, rejection, error);
    });
  }

  private respond(socket: Socket, error: AppError, request: { requestId: string; url: string | undefined }): void {
    const { status, headers, body } = toErrorResponse(error, request);
    const text = JSON.stringify(body);
    const lines = Object.entries({
      ...headers,
      'content-length': Buffer.byteLength(text),
      'x-content-type-options': 'nosniff',
      'x-request-id': request.requestId,
      date: new Date().toUTCString(),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
    this.lingering.close(socket);
    this.logger.info({ requestId: request.requestId, method: null, route: null, status }, 'request');
  }
}

/** The error for the client; undefined if the connection itself has failed. */
function toRejection(error: Error): AppError | undefined {
  const code = errorCode(error) ?? '';
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request-timeout', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers-too-large', 'The URL and headers must be at most 16 KB in total.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('payload-too-large', 'The chunk extensions of the body are too large.');
    case 'HPE_INVALID_EOF_STATE':
      return new AppError('malformed-request', 'The request was cut off.');
    default:
      return code.startsWith('HPE_') ? new AppError('malformed-request', 'The request is not valid HTTP.') : undefined;
  }
}

/** The URL of an unreadable request, if the packet at fault contains its first line. */
function urlOf(error: Error): string | undefined {
  const packet: unknown = Reflect.get(error, 'rawPacket');
  return Buffer.isBuffer(packet) ? requestLine.exec(packet.toString('latin1', 0, 4096))?.[1] : undefined;
}
