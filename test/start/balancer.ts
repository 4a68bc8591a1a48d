import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const checkIntervalMilliseconds = 100;
const checkTimeoutMilliseconds = 2000;
/** Consecutive failed checks after which a replica gets no more connections. */
const failuresUntilDown = 2;

interface Replica {
  readonly url: string;
  failures: number;
}

/**
 * A TCP load balancer with health checks, like HAProxy with its defaults but without retries: if a replica refuses or
 * resets a connection, the client sees a failure.
 */
export class Balancer {
  private readonly replicas = new Set<Replica>();
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer({ allowHalfOpen: true }, (client) => this.forward(client));
  private readonly timer = setInterval(() => void this.checkAll(), checkIntervalMilliseconds);
  private turn = 0;

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Adds a replica that is ready. */
  add(url: string): void {
    this.replicas.add({ url, failures: 0 });
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private async checkAll(): Promise<void> {
    await Promise.all([...this.replicas].map((replica) => this.check(replica)));
  }

  private async check(replica: Replica): Promise<void> {
    const signal = AbortSignal.timeout(checkTimeoutMilliseconds);
    const isReady = await fetch(`${replica.url}/health/ready`, { signal }).then(
      async (response) => (await response.text(), response.ok),
      () => false,
    );
    replica.failures = isReady ? 0 : replica.failures + 1;
    if (replica.failures >= failuresUntilDown) this.replicas.delete(replica);
  }

  private forward(client: Socket): void {
    const candidates = [...this.replicas];
    const replica = candidates[this.turn++ % candidates.length];
    if (replica === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(replica.url);
    const service = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    for (const [socket, peer] of [
      [client, service],
      [service, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => peer.resetAndDestroy());
      socket.on('close', () => this.sockets.delete(socket));
      socket.pipe(peer);
    }
  }
}
