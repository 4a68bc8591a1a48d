import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listenOnLastingPort } from '../../setup/lasting-port.js';

/** A TCP proxy in front of the service that can be closed and reopened, to simulate an outage. */
export class ServiceProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port: number | undefined;

  constructor(private readonly target: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts listening, after the first time on the same port. */
  async open(): Promise<void> {
    this.server = createServer((client) => this.accept(client));
    this.port = await listenOnLastingPort(this.server, this.port);
  }

  /** Stops listening and destroys all connections. */
  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(server, 'close');
  }

  private accept(client: Socket): void {
    const { hostname, port } = new URL(this.target);
    const service = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      this.sockets.add(socket);
      // `close` follows and destroys the other side.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
