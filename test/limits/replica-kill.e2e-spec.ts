import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { toUrl } from '../setup/test-database.js';
import { testJwtSecret } from '../setup/test-app.js';
import { useTestApp } from '../setup/use-test-app.js';
import { runService, type ServiceProcess } from '../start/service-process.js';

const max = 600;
const workers = 12;

describe('A limit of two processes, when one is killed while PostgreSQL restarts', () => {
  let folder: TemporaryFolder;
  let postgres: EmbeddedPostgres;
  let key: CreatedKey;
  let processes: ServiceProcess[] = [];

  const service = useTestApp(async () => {
    folder = await makeTemporaryFolder();
    postgres = await startEmbeddedPostgres(folder.path);
    await migrate(postgres.connection);
    return { database: postgres.connection };
  });
  beforeAll(async () => {
    key = await createApiKey(service, await createMember(service));
    const url = toUrl(postgres.connection);
    processes = [0, 1].map(() => {
      return runService({ DATABASE_URL: url, JWT_SECRET: testJwtSecret, LOG_LEVEL: 'error' });
    });
    await Promise.all(processes.map(({ ready }) => ready));
  });
  afterAll(async () => {
    for (const { child, exited } of processes) {
      child.kill('SIGKILL');
      await exited;
    }
    await postgres.stop();
    await folder.remove();
  });

  it('should never admit more requests than it allows, and lose no charge', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'month', max }]);
    const urls = new Set(await Promise.all(processes.map(({ ready }) => ready)));
    let admitted = 0;
    let restarted: Promise<void> | undefined;
    const disturb = () => {
      const [first] = processes;
      const [firstUrl] = urls;
      if (admitted > max / 4 && urls.size === 2 && firstUrl !== undefined) {
        urls.delete(firstUrl);
        first?.child.kill('SIGKILL');
      }
      if (admitted > max / 2) restarted ??= restart();
    };
    const restart = async () => {
      await postgres.stop();
      postgres = await startEmbeddedPostgres(folder.path);
    };
    const work = async (worker: number) => {
      for (let round = worker; ; round++) {
        const url = [...urls][round % urls.size] ?? '';
        // A killed process closes its connections.
        const status = await call(url, 'GET /v1/models', { token: key.key }).then(
          (response) => response.status,
          () => undefined,
        );
        if (status === 429) return;
        if (status === 200) admitted += 1;
        disturb();
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    await restarted;
    expect([urls.size, restarted]).toEqual([1, expect.any(Promise)]);
    expect(admitted).toBeLessThanOrEqual(max);
    // Those whose response was lost were charged as well.
    expect(admitted).toBeGreaterThan(max - 2 * workers * 2);
    expect(await readCounters(service, key.id)).toEqual({ 'requests/month': [max, 0] });
  });
});
