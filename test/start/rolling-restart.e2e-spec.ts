import { Agent } from 'node:http';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { Balancer } from './balancer.js';
import { runReplica } from './replica.js';
import { RollingClient } from './rolling-client.js';
import type { ServiceProcess } from './service-process.js';
import { useTestApp } from '../setup/use-test-app.js';

/** Owns the replicas' database and receives no requests. */
const owner = useTestApp();
let balancer: Balancer;
const replicas: ServiceProcess[] = [];
const clients: RollingClient[] = [];

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

describe('A rolling restart of two replicas behind a load balancer', () => {
  it('should fail no request on new or keep-alive connections', async () => {
    const { key } = await createApiKey(owner, await createMember(owner));
    const old = await Promise.all([startReplica(), startReplica()]);
    for (const keepAlive of [true, true, false, false])
      clients.push(new RollingClient(balancer.url, key, new Agent({ keepAlive })));
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
