import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { Balancer } from './balancer.js';
import { runReplica } from './replica.js';
import type { ServiceProcess } from './service-process.js';
import { useTestApp } from '../setup/use-test-app.js';

/** Owns the replicas' database and receives no requests. */
const owner = useTestApp();
let balancer: Balancer;
const replicas: ServiceProcess[] = [];
const clients: Client[] = [];

beforeAll(async () => {
  balancer = new Balancer();
  await balancer.listen();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.stop()));
  for (const { child, exited } of replicas) {
    child.kill('SIGKILL');
    await exited;
  }
  await balancer.close();
});

async function startReplica(): Promise<ServiceProcess> {
  const replica = runReplica(owner, { DRAIN_SECONDS: '1' });
  replicas.push(replica);
  balancer.add(await replica.ready);
  return replica;
}

/** Leaves the processor to the replicas that are starting. */
const pauseMilliseconds = 5;

/** Sends one request after another until stopped. */
class Client {
  readonly failures: unknown[] = [];
  succeeded = 0;
  private isStopping = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly key: string,
    private readonly agent: Agent,
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
    this.agent.destroy();
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      try {
        const status = await this.request();
        if (status === 200) this.succeeded++;
        else this.failures.push(status);
      } catch (error) {
        this.failures.push(error);
      }
      await pause(pauseMilliseconds);
    }
  }

  private request(): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const options = { agent: this.agent, headers: { authorization: `Bearer ${this.key}` }, timeout: 20_000 };
      const request = get(`${balancer.url}/v1/models`, options, (response) => {
        text(response).then(() => resolve(response.statusCode), reject);
      });
      request.on('timeout', () => request.destroy(new Error('timeout')));
      request.on('error', reject);
    });
  }
}

describe('A rolling restart of two replicas behind a load balancer', () => {
  it('should fail no request on new or keep-alive connections', async () => {
    const { key } = await createApiKey(owner, await createMember(owner));
    const old = await Promise.all([startReplica(), startReplica()]);
    for (const keepAlive of [true, true, false, false]) clients.push(new Client(key, new Agent({ keepAlive })));
    for (const replica of old) {
      replica.child.kill('SIGTERM');
      expect(await replica.exited).toBe(0);
      await startReplica();
    }
    const before = clients.map(({ succeeded }) => succeeded);
    await Promise.all(clients.map((client) => client.stop()));
    expect(clients.flatMap(({ failures }) => failures)).toEqual([]);
    for (const count of before) expect(count).toBeGreaterThan(10);
  });
});
