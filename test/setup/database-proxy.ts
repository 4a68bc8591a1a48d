import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { listenOnLastingPort } from './lasting-port.js';

/** A TCP proxy in front of PostgreSQL that can fall silent and switch to another server. */
export class DatabaseProxy {
  /** How to reach the database through the proxy. */
  readonly connection: DatabaseConnection;
  private readonly sockets = new Set<Socket>();
  /** Resumes connections that were opened during silence. */
  private readonly delayed = new Set<() => void>();
  private isSilent = false;
  /** Connections that break when they're used. */
  private readonly stale = new WeakSet<Socket>();
  private clients = 0;

  private constructor(
    private readonly server: Server,
    port: number,
    private target: DatabaseConnection,
  ) {
    this.connection = { ...target, host: '127.0.0.1', port };
    server.on('connection', (client: Socket) => this.accept(client));
  }

  static async open(target: DatabaseConnection): Promise<DatabaseProxy> {
    const server = createServer({ pauseOnConnect: true });
    return new DatabaseProxy(server, await listenOnLastingPort(server), target);
  }

  /** The number of connected clients. */
  get connectionCount(): number {
    return this.clients;
  }

  /** Sends new connections to another server. Existing ones stay. */
  switchTo(target: DatabaseConnection): void {
    this.target = target;
  }

  /** Breaks all connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Breaks each open connection when its client next sends something, like PgBouncer after a restart of PostgreSQL. */
  breakOnUse(): void {
    for (const socket of this.sockets) this.stale.add(socket);
  }

  /** Stops forwarding bytes but keeps and accepts connections, like a firewall that drops packets. */
  silence(): void {
    this.isSilent = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Forwards everything held back. */
  resume(): void {
    this.isSilent = false;
    for (const socket of this.sockets) socket.resume();
    for (const proceed of this.delayed) proceed();
    this.delayed.clear();
  }

  /** Breaks all connections and rejects new ones. */
  async close(): Promise<void> {
    this.server.close();
    this.cut();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    this.watch(client);
    this.clients++;
    client.on('close', () => this.clients--);
    if (this.isSilent) this.delayed.add(() => this.join(client));
    else this.join(client);
  }

  private join(client: Socket): void {
    if (client.destroyed) return;
    const { host, port } = this.target;
    const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    this.watch(server);
    // Not pipe(), which would resume a paused socket.
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (bytes) => {
        if (this.stale.has(from)) from.destroy();
        else to.write(bytes);
      });
      from.on('close', () => to.destroy());
      if (!this.isSilent) from.resume();
    }
  }

  private watch(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }
}
