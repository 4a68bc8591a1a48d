import { checkCluster } from '../../bench/revocation/cluster/check-cluster.js';
import { findClusterPrograms } from '../../bench/revocation/cluster/cluster.js';
import { faults } from '../../bench/revocation/cluster/faults.js';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';

const missing = findClusterPrograms();
const isInstalled = !Array.isArray(missing);
if (!isInstalled) process.stderr.write(`Not tested with a real cluster: ${missing.join(', ')} not installed.\n`);

/** Those that made replicas accept deleted keys before the database had a history. */
const dangerousFaults = faults.slice(0, 2);

(isInstalled ? describe : describe.skip)(
  'On a Patroni cluster whose primary wakes up after a failover, Keycard',
  () => {
    it('should accept no revoked key, undo no revocation, exceed no limit and lose no usage', async () => {
      const folder = await makeTemporaryFolder();
      const goal = { requests: 1, failovers: dangerousFaults.length, maxMinutes: 2, faults: dangerousFaults };
      const run = await checkCluster(folder, goal).finally(() => folder.remove());
      expect(run).toMatchObject({ stale: 0, undone: 0, rejectedLive: 0, budgetsExceeded: 0, usageLost: 0 });
      expect(run.requests).toBeGreaterThan(0);
      expect(run.deletions).toBeGreaterThan(0);
    }, 600_000);
  },
);
