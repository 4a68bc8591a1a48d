import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkHistory } from '../../src/database/history/check-history.js';
import { historyFileIn } from '../../src/database/history/history-file.js';
import { MetricsService } from '../../src/metrics/metrics.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { DatabaseProxy } from '../setup/database-proxy.js';
import { runAdmin } from '../setup/run-admin.js';
import type { Standby } from '../setup/standby.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { FailoverCluster } from './failover-cluster.js';

const wentBack = 'The database went back in time';
/** Reads the metrics of a service. */
const metricsOf = async ({ app }: TestApp) => (await fetch(app.get(MetricsService).url ?? '')).text();
const silent = { warn: () => undefined };

describe.each([
  ['the old primary, on its old timeline', 'old'],
  ['another server, on a second timeline 2', 'forked'],
] as const)('After a failover that is followed by %s, Keycard', (_title, kind) => {
  let cluster: FailoverCluster;
  let proxy: DatabaseProxy;
  let folder: TemporaryFolder;
  let service: TestApp;
  let member: Member;
  let deleted: CreatedKey;
  let kept: CreatedKey;
  /** The server that takes over first. */
  let successor: Pick<Standby, 'connection'>;
  /** The one that follows it, without what it changed. */
  let usurper: Pick<Standby, 'connection'>;

  beforeAll(async () => {
    cluster = await FailoverCluster.start(kind === 'forked' ? 2 : 1);
    proxy = await DatabaseProxy.open(cluster.primary);
    folder = await makeTemporaryFolder();
    service = await start(historyFileIn(folder.path));
    member = await createMember(service);
    [deleted, kept] = [await createApiKey(service, member), await createApiKey(service, member)];
    const [first, second] = cluster.standbys;
    if (first === undefined) throw new Error('The cluster has no standby.');
    successor = first;
    await cluster.promote(successor);
    if (second !== undefined) await cluster.promote(second);
    else await cluster.confirmAlone();

    lead(successor);
    await waitFor(async () => (await remove(deleted)).status === 200);
    usurper = second ?? { connection: cluster.primary };
    lead(usurper);
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await cluster.stop();
    await folder.remove();
  });

  const start = (historyFile?: string) =>
    startTestApp({
      database: proxy.connection,
      config: { ...(historyFile !== undefined && { historyFile }), metrics: { host: '127.0.0.1', port: 0 } },
    });
  const lead = ({ connection }: Pick<Standby, 'connection'>) => {
    proxy.switchTo(connection);
    proxy.cut();
  };
  const use = ({ key }: CreatedKey, { url } = service) => call(url, 'GET /v1/models', { token: key });
  const remove = ({ id }: CreatedKey) => call(service.url, `DELETE /api-keys/${id}`, { token: member.token });
  const ready = ({ url } = service) => call(url, 'GET /health/ready');
  const isLost = async () => (await ready()).status === 503 && JSON.stringify((await ready()).body).includes(wentBack);

  it('should accept no key, and respond to nothing from that database', async () => {
    for (const key of [deleted, kept, deleted, kept]) {
      const { status, headers } = await use(key);
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('1');
    }
    for (const route of ['GET /api-keys', 'GET /members', 'POST /api-keys']) {
      const body = route.startsWith('POST') ? { body: { name: 'A key' } } : {};
      expect((await call(service.url, route, { token: member.token, ...body })).status).toBe(503);
    }
  });

  it('should say so in its readiness, one log line and a metric', async () => {
    await waitFor(isLost);
    await waitFor(isLost);
    const lines = service.logLines.filter((line) => line.includes(wentBack) && line.includes('"context":"Database"'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('npm run admin -- accept-history');
    const metrics = await metricsOf(service);
    expect(metrics).toMatch(/^keycard_database_history_lost 1$/m);
  });

  it('should refuse to start on that database, even without a memory of its own', async () => {
    await waitFor(isLost);
    const empty = path.join(folder.path, 'none', 'file.json');
    for (const file of [historyFileIn(folder.path), empty]) {
      await expect(checkHistory(proxy.connection, file, silent)).rejects.toThrow(wentBack);
    }
    await expect(start()).rejects.toThrow(wentBack);
  });

  it('should continue once the proxy leads to the server that has the changes', async () => {
    lead(successor);
    await waitFor(async () => (await use(kept)).status === 200);
    expect((await use(deleted)).status).toBe(401);
    expect((await ready()).status).toBe(200);
    expect(await metricsOf(service)).toMatch(/^keycard_database_history_lost 0$/m);
    lead(usurper);
    await waitFor(isLost);
    expect((await use(deleted)).status).toBe(503);
  });

  it('should use that database after an operator has accepted its history', async () => {
    await waitFor(isLost);
    const output = await runAdmin(proxy.connection, 'accept-history');
    expect(output).toMatch(/^Accepted the history of .*\nIt may lack changes made after 2.*Delete them again\.$/);
    await waitFor(async () => (await ready()).status === 200);
    // As the command says.
    expect((await use(deleted)).status).toBe(200);
    expect((await remove(deleted)).status).toBe(200);
    expect((await use(deleted)).status).toBe(401);
    await checkHistory(proxy.connection, historyFileIn(folder.path), silent);
    expect(await readFile(historyFileIn(folder.path), 'utf8')).toContain('"generation":1');

    // The other server lacks what was done since.
    lead(successor);
    await waitFor(isLost);
  });
});
