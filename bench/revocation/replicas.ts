import { Agent, request } from 'undici';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { runReplica } from '../../test/start/replica.js';
import type { ServiceProcess } from '../../test/start/service-process.js';

interface Replica {
  readonly url: string;
  readonly service: ServiceProcess;
}

export interface Response {
  readonly status: number;
  readonly text: string;
  /** The `Location` header. */
  readonly location: string;
}

const environment = { LOG_LEVEL: 'silent', JWT_TTL_SECONDS: '86400', DOCUMENT_FETCH: 'off' };

/** Replicas of the built service, in separate processes, on one database. */
export class Replicas {
  private readonly running: Replica[] = [];
  private readonly agent = new Agent({ connections: 64, headersTimeout: 10_000, bodyTimeout: 10_000 });
  killed = 0;

  constructor(private readonly database: DatabaseConnection) {}

  /** URLs of the replicas that are running now. */
  get urls(): string[] {
    return this.running.map(({ url }) => url);
  }

  async start(): Promise<void> {
    const service = runReplica({ database: this.database }, environment);
    this.running.push({ url: await service.ready, service });
  }

  /** Kills a replica at random, as the kernel does when memory runs out, and starts another. */
  async replaceOne(): Promise<void> {
    const [replica] = this.running.splice(Math.floor(Math.random() * this.running.length), 1);
    if (replica === undefined) return;
    replica.service.child.kill('SIGKILL');
    await replica.service.exited;
    this.killed += 1;
    await this.start();
  }

  /**
   * Sends a request to a replica at random, or to the given one.
   *
   * @param route such as `GET /v1/models`
   * @throws errors of undici if the replica can't be reached or ends before it has responded
   */
  async call(route: string, token: string | undefined, body?: object, url = this.anyUrl()): Promise<Response> {
    const [method = '', path = ''] = route.split(' ', 2);
    const response = await request(url + path, {
      method: method as 'GET',
      dispatcher: this.agent,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    const location = String(response.headers['location']);
    return { status: response.statusCode, text: await response.body.text(), location };
  }

  async stop(): Promise<void> {
    await this.agent.destroy();
    for (const { service } of this.running) service.child.kill('SIGKILL');
    await Promise.all(this.running.map(({ service }) => service.exited));
  }

  private anyUrl(): string {
    const { urls } = this;
    return urls[Math.floor(Math.random() * urls.length)] ?? '';
  }
}
