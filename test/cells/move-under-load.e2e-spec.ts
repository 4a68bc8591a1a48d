import { setTimeout as delay } from 'node:timers/promises';
import type { Limit } from '../../src/limits/limit.js';
import { createApiKey, type CreatedKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member, openSession } from '../factories/organizations.js';
import { builtProgram } from '../setup/built-service.js';
import { call } from '../setup/call.js';
import { spawnAdmin } from '../setup/run-admin.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { toUrl } from '../setup/test-database.js';
import { useStarted } from '../setup/use-test-app.js';
import { type Cells, startCells, targetUrl } from './cells.js';
import { accepted, type MovedRequest, sendLoad, unavailable } from './move-load.js';

const maxPauseMilliseconds = 5000;

/** Enough for a part of the load. */
const limits: Limit[] = [
  { metric: 'cost', per: 'day', max: '2500000' },
  { metric: 'tokens', per: 'month', max: 700 },
  { metric: 'concurrency', max: 2 },
];
const organizationLimits: Limit[] = [{ metric: 'cost', per: 'month', max: '900000000' }];

interface Deletion {
  key: CreatedKey;
  /** When a 200 had arrived. */
  at: number;
}

/** Two replicas of the source and one of the target serve while the command of another process moves the organization. */
describe('A move under load', () => {
  const cells: Cells = useStarted(startCells);
  let replica: TestApp;
  let member: Member;
  let keys: CreatedKey[];
  let limited: CreatedKey[];
  let victims: CreatedKey[];
  let requests: MovedRequest[];
  let neighborRequests: MovedRequest[];
  let deletions: Deletion[];
  let result: Awaited<ReturnType<typeof spawnAdmin>>;

  beforeAll(async () => {
    const { source, target, upstream } = cells;
    // Building it would stop the clients, which are in this process.
    builtProgram('admin');
    replica = await startTestApp({
      database: source.database,
      config: {
        models: cells.models,
        auditSigningKeys: [cells.auditSigningKey],
      },
    });
    member = await createMember(source);
    const neighbor = await createMember(source);
    const create = (count: number, owner = member) =>
      Promise.all(Array.from({ length: count }, () => createApiKey(source, owner)));
    [keys, limited, victims] = await Promise.all([create(3), create(3), create(6)]);
    const neighborKeys = await create(2, neighbor);
    for (const { id } of limited) await setLimits(source, { keyId: id }, limits);
    await setLimits(source, { organizationId: member.organizationId }, organizationLimits);

    let isMoving = true;
    let endAt = Infinity;
    const goesOn = () => performance.now() < endAt;
    const urls = { source: [source.url, replica.url], target: [target.url] };
    const load = sendLoad({ keys: [...keys, ...limited, ...victims], urls, goesOn });
    const neighborLoad = sendLoad({ keys: neighborKeys, urls, goesOn });
    const deleting = deleteVictims(() => isMoving);
    await delay(1000);
    result = await spawnAdmin(
      { DATABASE_URL: toUrl(source.database), AUDIT_SIGNING_KEY: cells.auditSigningKey },
      ...['move-organization', member.organizationId, '--to', toUrl(target.database)],
      ...['--base-url', targetUrl, '--drain-seconds', '6'],
    );
    isMoving = false;
    endAt = performance.now() + 1000;
    [requests, neighborRequests] = await Promise.all([load, neighborLoad]);
    deletions = await deleting;
    expect(upstream.countOpen()).toBe(0);
  }, 240_000);
  afterAll(() => replica.stop());

  /** Deletes one key after the other, in the cell that serves the organization. */
  async function deleteVictims(goesOn: () => boolean): Promise<Deletion[]> {
    const found: Deletion[] = [];
    for (const key of victims) {
      for (;;) {
        if (!goesOn()) break;
        const inSource = await call(cells.source.url, `DELETE /api-keys/${key.id}`, { token: member.token });
        const isDeleted = inSource.status === 200 || (inSource.status === 401 && (await deleteInTarget(key)));
        if (isDeleted) break;
        await delay(20);
      }
      found.push({ key, at: performance.now() });
      await delay(400);
    }
    return found;
  }

  async function deleteInTarget({ id }: CreatedKey): Promise<boolean> {
    const { token } = await openSession(cells.target, member);
    return (await call(cells.target.url, `DELETE /api-keys/${id}`, { token })).status === 200;
  }

  it('should complete', () => {
    expect(result.errors).not.toContain('Error');
    expect(result.code).toBe(0);
    expect(result.printed).toMatch(/^Moved Organization /);
    expect(accepted(requests, 'source').length).toBeGreaterThan(20);
    expect(accepted(requests, 'target').length).toBeGreaterThan(20);
  });

  it('should never have both cells accept keys of the organization', () => {
    const lastInSource = Math.max(...accepted(requests, 'source').map(({ sentAt }) => sentAt));
    const firstInTarget = Math.min(...accepted(requests, 'target').map(({ endedAt }) => endedAt));
    expect(lastInSource).toBeLessThan(firstInTarget);
  });

  it('should never have a cell accept a key after its deletion was confirmed', () => {
    expect(deletions).toHaveLength(victims.length);
    const stale = deletions.flatMap(({ key, at }) =>
      requests.filter((request) => request.key === key && request.sentAt > at && request.seen.status === 200),
    );
    expect(stale).toEqual([]);
  });

  it('should make clients wait for at most 5 seconds', () => {
    const times = unavailable(requests);
    const lastAt = Math.max(...times.map(({ endedAt }) => endedAt));
    const firstAt = Math.min(...times.map(({ sentAt }) => sentAt));
    // Negative infinity if no client noticed.
    expect(lastAt - firstAt).toBeLessThan(maxPauseMilliseconds);
    const statuses = new Set(requests.map(({ seen }) => seen.status));
    expect([...statuses].filter((status) => ![200, 401, 421, 429, 503].includes(status ?? 0))).toEqual([]);
  });

  it('should let requests finish in the source that run there', () => {
    expect(requests.filter(({ seen }) => seen.status === 200 && !seen.isWhole)).toEqual([]);
    const firstInTarget = Math.min(...accepted(requests, 'target').map(({ endedAt }) => endedAt));
    expect(accepted(requests, 'source').filter(({ endedAt }) => endedAt > firstInTarget).length).toBeGreaterThan(0);
  });

  it('should count everything that clients received in the target', async () => {
    const rows = await cells.target.query<{ key: string; requests: number; output: number; cost: string }>(
      `select api_key_id as key, sum(requests - failures)::integer as requests, sum(output_tokens)::integer as output, sum(cost) as cost
       from usage where organization_id = $1 group by 1 having sum(requests - failures) > 0 order by 1`,
      [member.organizationId],
    );
    const all = [...keys, ...limited, ...victims];
    const bills = cells.upstream.bills;
    const expected = all
      .map(({ id }) => {
        const own = bills.filter(({ label }) => label?.startsWith(id) === true);
        const input = own.reduce((sum, bill) => sum + bill.input, 0);
        const output = own.reduce((sum, bill) => sum + bill.output, 0);
        return { key: id, requests: own.length, output, cost: String(input * 1000 + output * 4000) };
      })
      .filter((row) => row.requests > 0)
      .sort((one, other) => (one.key < other.key ? -1 : 1));
    expect(rows).toEqual(expected);
    const received = [...accepted(requests, 'source'), ...accepted(requests, 'target')].length;
    expect(rows.reduce((sum, row) => sum + row.requests, 0)).toBe(received);
  });

  it('should exceed no limit, and charge exactly what was used', async () => {
    const counters = await cells.target.query<{ id: string; metric: string; charged: string; held: string }>(
      `select owner_id as id, metric, round(level)::text as charged, (held + held_before)::text as held
       from limit_counters where owner_id = any ($1) and per <> '' order by owner_id, metric`,
      [limited.map(({ id }) => id)],
    );
    const expected = limited.flatMap(({ id }) => {
      const own = cells.upstream.bills.filter(({ label }) => label?.startsWith(id) === true);
      const input = own.reduce((sum, bill) => sum + bill.input, 0);
      const output = own.reduce((sum, bill) => sum + bill.output, 0);
      return [
        { id, metric: 'cost', charged: String(input * 1000 + output * 4000), held: '0' },
        { id, metric: 'tokens', charged: String(input + output), held: '0' },
      ];
    });
    const byId = (one: { id: string; metric: string }) => one.id + one.metric;
    expect(counters).toEqual(expected.sort((one, other) => (byId(one) < byId(other) ? -1 : 1)));
    for (const { metric, charged } of counters) {
      expect(Number(charged)).toBeLessThanOrEqual(metric === 'cost' ? 2_500_000 : 700);
    }
  });

  it('should leave other organizations of the source alone', () => {
    expect(neighborRequests.length).toBeGreaterThan(20);
    expect(neighborRequests.filter(({ seen }) => seen.status !== 200 || !seen.isWhole)).toEqual([]);
  });

  it('should keep both audit logs provable', async () => {
    for (const cell of [cells.source, cells.target])
      expect(await cells.run(cell, 'audit', 'verify')).toMatch(/^Verified/);
  });
});
