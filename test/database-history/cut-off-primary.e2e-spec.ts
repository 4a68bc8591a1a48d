import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { setLimits } from '../factories/limits.js';
import { call } from '../setup/call.js';
import { DatabaseProxy } from '../setup/database-proxy.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { FailoverCluster } from './failover-cluster.js';

const primaryLeaseSeconds = 3;

describe('With PRIMARY_LEASE_SECONDS, a primary that was cut off while its sessions live', () => {
  let cluster: FailoverCluster;
  let proxy: DatabaseProxy;
  /** A replica whose connections stay on the old primary. */
  let behind: TestApp;
  /** A replica that follows the proxy. */
  let ahead: TestApp;
  let member: Member;
  let keys: CreatedKey[];

  beforeAll(async () => {
    cluster = await FailoverCluster.start();
    proxy = await DatabaseProxy.open(cluster.primary);
    const config = { primaryLeaseSeconds };
    behind = await startTestApp({ database: cluster.primary, config });
    ahead = await startTestApp({ database: proxy.connection, config });
    member = await createMember(ahead);
    keys = await Promise.all(Array.from({ length: 4 }, () => createApiKey(ahead, member)));
    await waitFor(async () => (await use(keys[0], behind)).status === 200);
  });
  afterAll(async () => {
    cluster.continuePostmaster();
    await ahead.stop();
    await behind.stop();
    await proxy.close();
    await cluster.stop();
  });

  const use = (key: CreatedKey | undefined, { url }: TestApp) =>
    call(url, 'GET /v1/models', { token: key?.key ?? 'none' });
  const remove = (key: CreatedKey | undefined) =>
    call(ahead.url, `DELETE /api-keys/${key?.id}`, { token: member.token });

  it('should not be believed any more when its successor has confirmed a deletion', async () => {
    const [standby] = cluster.standbys;
    if (standby === undefined) throw new Error('The cluster has no standby.');
    const [deleted, kept, limited] = keys;
    if (limited !== undefined)
      await setLimits(ahead, { keyId: limited.id }, [{ metric: 'requests', per: 'day', max: 2 }]);

    cluster.stopPostmaster();
    await cluster.promote(standby);
    // Sessions on the old primary still work.
    expect((await use(deleted, behind)).status).toBe(200);
    proxy.switchTo(standby.connection);
    proxy.cut();

    let isDeleted = false;
    const acceptedLate: number[] = [];
    const statuses = new Set<number>();
    const useBehind = async () => {
      while (!isDeleted || statuses.size < 2) {
        const wasDeleted = isDeleted;
        const { status } = await use(deleted, behind);
        statuses.add(status);
        if (wasDeleted && status === 200) acceptedLate.push(status);
      }
    };
    const using = useBehind();
    const startedAt = performance.now();
    await waitFor(async () => (await remove(deleted)).status === 200);
    isDeleted = true;
    await using;
    expect(acceptedLate).toEqual([]);
    expect([...statuses].sort()).toEqual([200, 503]);
    // The new primary waits for the lease of the old one.
    expect(performance.now() - startedAt).toBeGreaterThan(1000);

    // No request that a limit counts is admitted by both.
    expect((await use(limited, behind)).status).toBe(503);
    const onSuccessor = await Promise.all(Array.from({ length: 5 }, () => use(limited, ahead)));
    expect(onSuccessor.filter(({ status }) => status === 200)).toHaveLength(2);

    expect((await use(kept, ahead)).status).toBe(200);
    expect((await use(deleted, ahead)).status).toBe(401);
    const { status, body } = await call(behind.url, 'GET /health/ready');
    expect(status).toBe(503);
    expect(JSON.stringify(body)).toContain('PRIMARY_LEASE_SECONDS');
  });
});
