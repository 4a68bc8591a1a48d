import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, createServer, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { partOf, type InstanceShare } from '../instance-share.js';

/** How long an ended connection stays readable, so that a late request doesn't cause a reset. */
const lingerMilliseconds = 1000;
/** How long arriving connections may delay the end of listening. */
const acceptMilliseconds = 1000;
/** A shorter turn of the event loop can't have missed a connection for long. */
const shortTurnMilliseconds = 1;
const dropLogIntervalMilliseconds = 60_000;

interface Connection {
  bytesRead: number;
  /** When it last carried a request or received a byte; from `performance.now()`. */
  activeAt: number;
  endedAt: number | undefined;
  /** Responses to requests in flight; more than one if the client pipelines. */
  readonly responses: ServerResponse[];
}

const trackers = new WeakMap<Server, OpenConnections>();

/**
 * The connections of an HTTP server and their requests in flight, so that it can stop without resetting any.
 *
 * Responses are in arrays, because V8 links each table that a `Set` has outgrown to the next one. As requests come and go, a
 * discarded table in the old generation would keep all later ones alive, with their requests, until the next full collection.
 */
export class OpenConnections {
  private readonly connections = new Map<Socket, Connection>();
  private readonly listeners: NetServer[];
  private accepted = 0;

  /** Starts tracking; call it before the server listens. */
  constructor(private readonly server: Server) {
    trackers.set(server, this);
    this.listeners = [server];
    server.on('connection', (socket) => {
      this.accepted++;
      const now = performance.now();
      this.connections.set(socket, { bytesRead: 0, activeAt: now, endedAt: undefined, responses: [] });
      socket.once('close', () => this.endConnection(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const responses = this.connections.get(socket)?.responses;
      if (responses === undefined) return;
      responses.push(response);
      response.once('close', () => responses.splice(responses.indexOf(response), 1));
    });
  }

  /**
   * Closes responses that wait behind another one of a client that pipelines: Node closes only the one that it's sending,
   * so what the others hold would never be released.
   */
  private endConnection(socket: Socket): void {
    const responses = this.connections.get(socket)?.responses ?? [];
    this.connections.delete(socket);
    for (const response of responses.filter((response) => response.socket === null && !response.closed)) {
      response.destroy();
      response.emit('close');
    }
  }

  /** The tracker of a server. */
  static of(server: Server): OpenConnections {
    return trackers.get(server) ?? new OpenConnections(server);
  }

  get count(): number {
    return this.connections.size;
  }

  get requestsInFlight(): number {
    let count = 0;
    for (const { responses } of this.connections.values()) count += responses.length;
    return count;
  }

  /** Whether a request of the connection is in flight. */
  isServing(socket: Socket): boolean {
    return (this.connections.get(socket)?.responses.length ?? 0) > 0;
  }

  /** The newest response in flight on a connection, if any. */
  responseInFlight(socket: Socket): ServerResponse | undefined {
    return this.connections.get(socket)?.responses.at(-1);
  }

  /** Makes each further response ask its client to use another connection for the next request. */
  announceClose(): void {
    const announce = (response: ServerResponse) => {
      if (!response.headersSent) response.setHeader('connection', 'close');
    };
    for (const { responses } of this.connections.values()) responses.forEach(announce);
    const handlers = this.server.listeners('request');
    this.server.removeAllListeners('request');
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // The client gets no response on an ended connection and repeats the request, so it must not be served.
      if (this.connections.get(request.socket)?.endedAt !== undefined) return;
      announce(response);
      for (const handler of handlers) handler.call(this.server, request, response);
    });
  }

  /**
   * Listens on another IP address. Its connections are served by the same server, so that the same limits apply.
   *
   * @returns the port
   * @throws Error of the system, such as `EADDRINUSE`
   */
  async listenAlso(host: string, port: number): Promise<number> {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      this.server.emit('connection', socket);
    });
    listener.maxConnections = this.server.maxConnections;
    listener.on('drop', (data) => this.server.emit('drop', data));
    listener.listen(port, host);
    await once(listener, 'listening');
    this.listeners.push(listener);
    this.server.once('close', () => listener.close());
    return (listener.address() as AddressInfo).port;
  }

  /**
   * Closes the listeners only. Closing resets connections that the system has accepted and Node hasn't, and those that
   * arrive while a listener closes. So they are accepted first, and listeners close right after a short turn of the
   * event loop in which no connection arrived. Node's `http.Server.close()` also destroys connections whose request
   * hasn't been read yet.
   *
   * @param turn waits until connections that have arrived by now are accepted
   */
  async stopListening(turn: () => Promise<unknown> = nextTurn): Promise<void> {
    const deadline = performance.now() + acceptMilliseconds;
    // The current turn may have polled for connections already.
    await turn();
    for (let isQuiet = false; !isQuiet;) {
      const [accepted, startedAt] = [this.accepted, performance.now()];
      await turn();
      const now = performance.now();
      isQuiet = now > deadline || (this.accepted === accepted && now - startedAt < shortTurnMilliseconds);
    }
    for (const listener of this.listeners) if (listener.listening) NetServer.prototype.close.call(listener);
  }

  /** Ends connections that had no request in flight and received no byte for this long. */
  endQuiet(quietMilliseconds: number): void {
    this.observe();
    const now = performance.now();
    for (const [socket, connection] of this.connections) {
      if (connection.endedAt !== undefined) {
        if (now - connection.endedAt > lingerMilliseconds) socket.destroy();
      } else if (connection.responses.length === 0 && now - connection.activeAt >= quietMilliseconds) {
        connection.endedAt = now;
        socket.end();
      }
    }
  }

  /** Updates which connections are active. */
  observe(): void {
    const now = performance.now();
    for (const [socket, connection] of this.connections) {
      if (connection.responses.length === 0 && socket.bytesRead === connection.bytesRead) continue;
      connection.bytesRead = socket.bytesRead;
      connection.activeAt = now;
    }
  }

  /** Destroys all connections. */
  destroy(): void {
    for (const socket of this.connections.keys()) socket.destroy();
  }
}

/** Closes connections beyond the limit as soon as they are accepted. Clients see a closed connection and may retry. */
export function limitConnections(
  server: Server,
  maxConnections: number,
  logger: Logger,
  instanceShare?: InstanceShare,
): void {
  let dropped = 0;
  let loggedAt = -Infinity;
  if (instanceShare === undefined) server.maxConnections = maxConnections;
  else closeSurplus(server, partOf(maxConnections, instanceShare));
  server.on('drop', () => {
    dropped += 1;
    if (performance.now() - loggedAt < dropLogIntervalMilliseconds) return;
    loggedAt = performance.now();
    logger.warn({ dropped }, `Connections were closed: MAX_CONNECTIONS is ${maxConnections}.`);
    dropped = 0;
  });
}

/** The primary would pass a connection beyond `server.maxConnections` from instance to instance, without end. */
function closeSurplus(server: Server, maxConnections: number): void {
  server.on('connection', (socket) => {
    if (OpenConnections.of(server).count <= maxConnections) return;
    socket.destroy();
    server.emit('drop');
  });
}
