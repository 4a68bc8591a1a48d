import { setTimeout as delay } from 'node:timers/promises';
import { waitAtMost } from './wait-at-most.js';
import type { Replicas } from '../replicas.js';
import type { Cluster } from './cluster.js';
import type { PatroniNode } from './patroni-node.js';

export interface Fault {
  /** Completes "While this happens, …". */
  readonly title: string;
  /** Breaks something, and repairs it. */
  readonly inject: (cluster: Cluster, replicas: Replicas) => Promise<void>;
}

/** Longer than it takes until another node leads: `ttl`, and a few rounds of the managers. */
const promotionSeconds = 45;
/** Longer than `ttl`. */
const outageSeconds = 25;

const seconds = (count: number) => delay(count * 1000);

/** Waits until another node leads, if it ever does. */
async function waitForPromotion(cluster: Cluster, old: PatroniNode): Promise<void> {
  await waitAtMost(promotionSeconds, async () => {
    const primary = await cluster.primary();
    return primary !== undefined && primary !== old;
  });
}

/** Runs a fault on the node that leads. */
const onPrimary =
  (inject: (primary: PatroniNode, cluster: Cluster) => Promise<void>): Fault['inject'] =>
  async (cluster) => {
    const primary = await cluster.primary();
    if (primary !== undefined) await inject(primary, cluster);
  };

export const faults: readonly Fault[] = [
  {
    title: "the primary's manager and postmaster paused until after a promotion, sessions alive",
    inject: onPrimary(async (primary, cluster) => {
      primary.signalManager('SIGSTOP');
      primary.signalPostmaster('SIGSTOP');
      await waitForPromotion(cluster, primary);
      await seconds(2);
      primary.signalPostmaster('SIGCONT');
      primary.signalManager('SIGCONT');
    }),
  },
  {
    title: "the primary's manager paused until after a promotion, postmaster killed",
    inject: onPrimary(async (primary, cluster) => {
      primary.signalManager('SIGSTOP');
      primary.signalPostmaster('SIGKILL');
      await waitForPromotion(cluster, primary);
      await seconds(2);
      primary.signalManager('SIGCONT');
    }),
  },
  {
    title: 'the whole primary node paused until after a promotion',
    inject: onPrimary(async (primary, cluster) => {
      primary.signalAll('SIGSTOP');
      await waitForPromotion(cluster, primary);
      await seconds(2);
      primary.signalAll('SIGCONT');
    }),
  },
  {
    title: 'the whole primary node killed',
    inject: onPrimary(async (primary, cluster) => {
      primary.signalAll('SIGKILL');
      await waitForPromotion(cluster, primary);
      primary.restart();
    }),
  },
  {
    title: "the primary's postmaster killed",
    inject: onPrimary(async (primary) => {
      primary.signalPostmaster('SIGKILL');
      await seconds(5);
    }),
  },
  {
    title: "the primary's manager killed",
    inject: onPrimary(async (primary, cluster) => {
      primary.signalManager('SIGKILL');
      await waitForPromotion(cluster, primary);
      primary.restart();
    }),
  },
  { title: 'a planned switchover', inject: (cluster) => cluster.switchOver() },
  {
    title: 'a standby killed',
    inject: async (cluster) => {
      const primary = await cluster.primary();
      const standby = cluster.nodes.find((node) => node !== primary);
      standby?.signalAll('SIGKILL');
      await seconds(10);
      standby?.restart();
    },
  },
  {
    title: 'both standbys paused',
    inject: async (cluster) => {
      const primary = await cluster.primary();
      const standbys = cluster.nodes.filter((node) => node !== primary);
      for (const node of standbys) node.signalAll('SIGSTOP');
      await seconds(15);
      for (const node of standbys) node.signalAll('SIGCONT');
    },
  },
  {
    title: 'etcd paused for longer than its leases',
    inject: async ({ etcd }) => {
      etcd.signal('SIGSTOP');
      await seconds(outageSeconds);
      etcd.signal('SIGCONT');
    },
  },
  {
    title: 'etcd killed and restarted',
    inject: async ({ etcd }) => {
      await etcd.stop('SIGKILL');
      await seconds(5);
      etcd.start();
    },
  },
  {
    title: 'the network to PostgreSQL silent for 10 seconds',
    inject: async ({ proxy }) => {
      proxy.signal('SIGSTOP');
      await seconds(10);
      proxy.signal('SIGCONT');
    },
  },
  {
    title: 'the proxy in front of PostgreSQL killed',
    inject: async ({ proxy }) => {
      await proxy.stop('SIGKILL');
      await seconds(3);
      proxy.start();
    },
  },
  {
    title: 'the disk of the primary full',
    inject: onPrimary(async (primary) => {
      if (!primary.fillDisk()) return;
      await seconds(10);
      await primary.freeDisk();
      primary.restart();
    }),
  },
  { title: 'a Keycard killed and restarted', inject: (_cluster, replicas) => replicas.replaceOne() },
  { title: 'a Keycard paused for 10 seconds', inject: (_cluster, replicas) => replicas.pauseOne(10_000) },
];
