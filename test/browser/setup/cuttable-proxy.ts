import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listenOnLastingPort } from '../../setup/lasting-port.js';

/** A way to the service that can be cut and restored, as when the service is restarted. */
export class CuttableProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port: number | undefined;

  constructor(private readonly target: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens, on the same port as before if it has listened already. */
  async open(): Promise<void> {
    this.server = createServer((client) => this.join(client));
    this.port = await listenOnLastingPort(this.server, this.port);
  }

  /** Breaks off all connections, and refuses new ones. */
  async cut(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(server, 'close');
  }

  private join(client: Socket): void {
    const { hostname, port } = new URL(this.target);
    const service = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      this.sockets.add(socket);
      // What goes wrong on one side ends the other, which is all that is to be done about it.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
