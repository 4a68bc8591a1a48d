import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { listenOnLastingPort } from './lasting-port.js';

interface Session {
  client: pg.Client;
  stream: Duplex;
}

const authenticationOk = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** The end of every response: ReadyForQuery, and its status outside a transaction. */
const endOfResponse = Buffer.from([0x5a, 0, 0, 0, 5]);
const idle = 0x49;
const terminate = 0x58;

/**
 * A connection pooler like PgBouncer, by default in transaction mode: clients share PostgreSQL sessions, each for a
 * transaction. Supports the simple query protocol.
 */
export class TransactionPooler {
  readonly connection: DatabaseConnection;
  private readonly sockets = new Set<Socket>();
  private readonly free: Session[];
  private readonly waiting: ((session: Session) => void)[] = [];

  private constructor(
    private readonly server: Server,
    port: number,
    target: DatabaseConnection,
    private readonly sessions: readonly Session[],
    private readonly order: 'last used' | 'round robin',
    private readonly mode: 'transaction' | 'session',
  ) {
    this.connection = { ...target, host: '127.0.0.1', port, password: '' };
    this.free = [...sessions];
    server.on('connection', (socket: Socket) => this.accept(socket));
  }

  /**
   * @param size number of sessions
   * @param order which free session a transaction gets
   * @param mode what a client keeps its session for; in session mode, until the pooler closes
   */
  static async open(
    target: DatabaseConnection,
    size: number,
    order: 'last used' | 'round robin',
    mode: 'transaction' | 'session' = 'transaction',
  ): Promise<TransactionPooler> {
    const sessions = await Promise.all(Array.from({ length: size }, () => openSession(target)));
    const server = createServer();
    return new TransactionPooler(server, await listenOnLastingPort(server), target, sessions, order, mode);
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    for (const { stream } of this.sessions) stream.destroy();
    await once(this.server, 'close');
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
    // Accepts the startup message without authentication.
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticationOk, readyForQuery]));
      this.serve(socket).catch(() => socket.destroy());
    });
  }

  private async serve(socket: Socket): Promise<void> {
    let session: Session | undefined;
    for await (const query of socket as AsyncIterable<Buffer>) {
      if (query[0] === terminate) break;
      session ??= await this.acquire();
      session.stream.write(query);
      if ((await this.forwardResponse(session, socket)) !== idle || this.mode === 'session') continue;
      this.release(session);
      session = undefined;
    }
  }

  /** @returns the transaction status */
  private async forwardResponse({ stream }: Session, socket: Socket): Promise<number | undefined> {
    for (;;) {
      const [bytes] = (await once(stream, 'data')) as [Buffer];
      socket.write(bytes);
      if (bytes.subarray(-6, -1).equals(endOfResponse)) return bytes.at(-1);
    }
  }

  private async acquire(): Promise<Session> {
    const session = this.order === 'last used' ? this.free.pop() : this.free.shift();
    return session ?? new Promise((resolve) => this.waiting.push(resolve));
  }

  private release(session: Session): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free.push(session);
    else next(session);
  }
}

/** Authenticates with pg. The pooler then forwards everything the session sends to its clients. */
async function openSession(target: DatabaseConnection): Promise<Session> {
  const client = new pg.Client(target);
  client.on('error', () => undefined);
  await client.connect();
  const { stream } = client.connection;
  stream.removeAllListeners('data');
  return { client, stream };
}
