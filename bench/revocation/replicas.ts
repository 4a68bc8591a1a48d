import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { runReplica } from '../../test/start/replica.js';
import type { ServiceProcess } from '../../test/start/service-process.js';

interface Replica {
  /** Names its `DATA_DIR`, which survives its restarts. */
  readonly number: number;
  readonly url: string;
  readonly service: ServiceProcess;
}

export interface Response {
  readonly status: number;
  readonly text: string;
  /** The `Location` header. */
  readonly location: string;
}

const commonEnvironment = { LOG_LEVEL: 'silent', JWT_TTL_SECONDS: '86400', DOCUMENT_FETCH: 'off' };
const pauseBetweenStartsMilliseconds = 1000;

/** Replicas of the built service, in separate processes, on one database. */
export class Replicas {
  private readonly running: Replica[] = [];
  private readonly starting = new Set<ServiceProcess>();
  private readonly agent = new Agent({ connections: 64, headersTimeout: 10_000, bodyTimeout: 10_000 });
  killed = 0;

  private isStopping = false;

  /** @param folder gets the replicas' `DATA_DIR`s */
  constructor(
    private readonly database: DatabaseConnection,
    private readonly folder: string,
    private readonly environment: Record<string, string> = {},
  ) {
    process.once('exit', () => this.kill());
  }

  /** URLs of the replicas that are running now. */
  get urls(): string[] {
    return this.running.map(({ url }) => url);
  }

  /** Starts a replica, as often as it takes: it refuses to start while the database is away. */
  async start(number = this.running.length + 1): Promise<void> {
    const DATA_DIR = path.join(this.folder, `replica-${number}`);
    while (!this.isStopping) {
      const service = runReplica({ database: this.database }, { ...commonEnvironment, DATA_DIR, ...this.environment });
      this.starting.add(service);
      const url = await service.ready.catch(() => undefined);
      this.starting.delete(service);
      if (url !== undefined) {
        this.running.push({ number, url, service });
        return;
      }
      await delay(pauseBetweenStartsMilliseconds);
    }
  }

  /** Kills a replica at random, as the kernel does when memory runs out, and starts another. */
  async replaceOne(): Promise<void> {
    const [replica] = this.running.splice(Math.floor(Math.random() * this.running.length), 1);
    if (replica === undefined) return;
    replica.service.child.kill('SIGKILL');
    await replica.service.exited;
    this.killed += 1;
    await this.start(replica.number);
  }

  /** Pauses a replica at random, as an overloaded hypervisor does. */
  async pauseOne(milliseconds: number): Promise<void> {
    const replica = this.running[Math.floor(Math.random() * this.running.length)];
    replica?.service.child.kill('SIGSTOP');
    await delay(milliseconds);
    replica?.service.child.kill('SIGCONT');
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
    this.isStopping = true;
    await this.agent.destroy();
    await Promise.all(this.kill().map(({ exited }) => exited));
  }

  private kill(): ServiceProcess[] {
    const services = [...this.running.map(({ service }) => service), ...this.starting];
    for (const { child } of services) child.kill('SIGKILL');
    return services;
  }

  private anyUrl(): string {
    const { urls } = this;
    return urls[Math.floor(Math.random() * urls.length)] ?? '';
  }
}
