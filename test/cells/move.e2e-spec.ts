import { createApiKey, createRestrictedKey, type CreatedKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { addMembership, createMember, type Member, openSession } from '../factories/organizations.js';
import { recordUsageAt } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { sendGeneration, generationBody } from '../setup/generation-request.js';
import { scripted } from '../setup/generation-upstream/script.js';
import type { TestApp } from '../setup/test-app.js';
import { toUrl } from '../setup/test-database.js';
import { useStarted } from '../setup/use-test-app.js';
import { RetentionService } from '../../src/retention/retention.service.js';
import { waitFor } from '../setup/wait-for.js';
import { type Cells, startCells, targetUrl } from './cells.js';

const useKey = ({ url }: TestApp, { key }: Pick<CreatedKey, 'key'>, tokens = 20) =>
  sendGeneration({
    url,
    dialect: 'chat/completions',
    key,
    body: generationBody('chat/completions', 'mini', scripted({ tokens }), { max_tokens: 100 }),
  });

const readUsage = async (cell: TestApp, { token }: Pick<Member, 'token'>) =>
  (await call(cell.url, 'GET /usage?from=2026-11-01T00:00:00Z&groupBy=apiKey', { token })).body as {
    groups: unknown[];
  };

describe('npm run admin -- move-organization', () => {
  const cells: Cells = useStarted(startCells);
  let owner: Member;
  let colleague: Member;
  let plain: CreatedKey;
  let limited: CreatedKey;
  let rotated: CreatedKey;
  let previous: string;
  let deleted: CreatedKey;
  let disabled: CreatedKey;
  let neighbor: Member;
  let neighborKey: CreatedKey;
  let before: { usage: { groups: unknown[] }; counters: unknown; audit: number };
  let output: string;
  let after: { groups: unknown[] };
  let arrived: Pick<Member, 'token'>;

  beforeAll(async () => {
    const { source, target } = cells;
    owner = await createMember(source);
    colleague = await createMember(source, { organizationId: owner.organizationId, permissions: ['get-usage'] });
    neighbor = await createMember(source);
    await addMembership(source, { userId: colleague.userId, organizationId: neighbor.organizationId });
    neighborKey = await createApiKey(source, neighbor);
    plain = await createApiKey(source, owner, 'Plain');
    limited = await createApiKey(source, owner, 'Limited');
    rotated = await createApiKey(source, owner, 'Rotated');
    disabled = await createRestrictedKey(source, owner, { name: 'Disabled' });
    deleted = await createApiKey(source, owner, 'Deleted');
    previous = rotated.key;
    const { token } = owner;
    const rotation = await call(source.url, `POST /api-keys/${rotated.id}/rotate`, {
      token,
      body: { gracePeriodSeconds: 3600 },
    });
    if (rotation.status >= 300) throw new Error(rotation.text);
    rotated = { ...rotated, key: (rotation.body as { key: string }).key };
    await call(source.url, `DELETE /api-keys/${deleted.id}`, { token });
    await call(source.url, `PATCH /api-keys/${disabled.id}`, { token, body: { enabled: false } });
    await call(source.url, 'POST /webhooks', { token, body: { url: 'https://receiver.example/hook' } });
    await setLimits(source, { keyId: limited.id }, [
      { metric: 'cost', per: 'month', max: '1000000000' },
      { metric: 'tokens', per: 'day', max: 100_000 },
      { metric: 'requests', per: 'day', max: 100 },
      { metric: 'concurrency', max: 5 },
    ]);
    const facts = { organizationId: owner.organizationId, apiKeyId: plain.id, inputTokens: 7 };
    await recordUsageAt(source, '2026-11-20T10:30:00Z', [facts, facts]);
    await source.app.get(RetentionService).run();
    await recordUsageAt(source, '2026-11-21T10:30:00Z', [facts]);
    await source.app.get(RetentionService).run();
    for (const key of [plain, limited, limited, rotated, { key: previous }]) {
      const { status, text } = await useKey(source, key);
      if (status !== 200) throw new Error(text);
    }
    before = {
      usage: await readUsage(source, owner),
      counters: await readCounters(source, limited.id),
      audit: await countEvents(source),
    };
    output = await cells.move(owner.organizationId, '--base-url', targetUrl);
    arrived = await openSession(target, owner);
    after = await readUsage(target, arrived);
  }, 120_000);

  const countEvents = async ({ query }: TestApp) => {
    const [row] = await query<{ count: number }>(
      'select count(*)::integer as count from audit_events where organization_id = $1',
      [owner.organizationId],
    );
    return row?.count ?? 0;
  };

  it('should say what was moved', () => {
    expect(output).toMatch(/^Moved Organization .*: the target has its keys, members, limits, usage and audit log\./);
  });

  it('should make the target accept current and previous secrets', async () => {
    const used = [plain, limited, rotated, { key: previous }].map((key) => useKey(cells.target, key));
    expect((await Promise.all(used)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('should keep disabled and deleted keys rejected in both cells', async () => {
    const statuses = await Promise.all(
      [cells.source, cells.target].flatMap((cell) => [useKey(cell, disabled), useKey(cell, deleted)]),
    );
    expect(statuses.map(({ status }) => status)).toEqual([421, 401, 403, 401]);
  });

  it('should make the source name the new base URL', async () => {
    const response = await call(cells.source.url, 'GET /v1/models', { token: plain.key });
    expect(response).toMatchObject({
      status: 421,
      body: {
        error: {
          code: 'organization_moved',
          message: `The organization of this API key has moved to ${targetUrl}. Send requests there.`,
        },
      },
    });
  });

  it('should leave keys of other organizations alone', async () => {
    expect((await useKey(cells.source, neighborKey)).status).toBe(200);
    expect((await useKey(cells.target, neighborKey)).status).toBe(401);
  });

  it('should end the access of members in the source, and only in this organization', async () => {
    const { url } = cells.source;
    expect((await call(url, 'GET /api-keys', { token: owner.token })).status).toBe(401);
    const other = await openSession(cells.source, {
      userId: colleague.userId,
      organizationId: neighbor.organizationId,
    });
    expect((await call(url, 'GET /api-keys', { token: other.token })).status).toBe(200);
  });

  it('should give members the same roles in the target', async () => {
    const { url } = cells.target;
    const token = (await openSession(cells.target, colleague)).token;
    expect((await call(url, 'GET /api-keys', { token: arrived.token })).status).toBe(200);
    expect((await call(url, 'GET /api-keys', { token })).status).toBe(403);
    expect((await call(url, 'GET /usage?from=2026-11-01T00:00:00Z', { token })).status).toBe(200);
  });

  it('should bring limits with what was used of them', async () => {
    const { limits } = (await call(cells.target.url, `GET /api-keys/${limited.id}`, { token: arrived.token })).body as {
      limits: { metric: string; max: unknown }[];
    };
    expect(limits.map(({ metric }) => metric).sort()).toEqual(['concurrency', 'cost', 'requests', 'tokens']);
    // Requests of these tests have used more since.
    const counters = await readCounters(cells.target, limited.id);
    for (const [name, [level]] of Object.entries(before.counters as Record<string, [number, number]>)) {
      expect(counters[name]?.[0]).toBeGreaterThanOrEqual(level);
    }
  });

  it('should bring all usage, by hour and packed', async () => {
    expect(after.groups).toHaveLength(3);
    expect(after.groups).toEqual(before.usage.groups);
    const packed = await cells.target.query(
      `select requests from usage_by_month join usage_series on id = series_id where api_key_id = $1`,
      [plain.id],
    );
    expect(packed).toEqual([{ requests: ['3'] }]);
  });

  it('should bring webhooks with the same secrets', async () => {
    const read = ({ query }: TestApp) => query<{ id: string }>('select id from webhooks');
    expect(await read(cells.source)).toEqual([]);
    expect(await read(cells.target)).toHaveLength(1);
    const [webhook] = await cells.target.query<{ length: number }>('select length(secret) from webhooks');
    expect(webhook?.length).toBeGreaterThan(20);
  });

  it('should bring the audit log with its proof, and add what happened', async () => {
    expect(await countEvents(cells.target)).toBeGreaterThanOrEqual(before.audit + 2);
    for (const cell of [cells.source, cells.target]) {
      expect(await cells.run(cell, 'audit', 'verify')).toMatch(/^Verified \d+ audit events in/);
    }
    const { auditEvents } = (await call(cells.target.url, 'GET /audit-events?limit=10', { token: arrived.token }))
      .body as {
      auditEvents: { action: string }[];
    };
    expect(auditEvents.map(({ action }) => action)).toContain('organization.arrive');
  });

  it('should prove moved events in the target', async () => {
    const events = (await call(cells.target.url, 'GET /audit-events?action=api-key.delete', { token: arrived.token }))
      .body as { auditEvents: { id: string }[] };
    const id = events.auditEvents[0]?.id ?? '';
    const { token } = arrived;
    expect((await call(cells.target.url, `GET /audit-events/${id}/proof`, { token })).status).toBe(200);
  });

  it('should refuse to move it again', async () => {
    await expect(cells.move(owner.organizationId)).rejects.toThrow('This organization has moved.');
  });

  it('should leave nothing in the source that its retention task does not delete', async () => {
    await cells.source.app.get(RetentionService).run();
    const tables = await cells.source.query<{ name: string }>(
      `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and attname = 'organization_id'
       where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const left: string[] = [];
    for (const { name } of tables) {
      const rows = await cells.source.query(`select from ${name} where organization_id = $1 limit 1`, [
        owner.organizationId,
      ]);
      if (rows.length > 0) left.push(name);
    }
    expect(left.sort()).toEqual(['audit_events', 'moved_api_keys', 'organization_moves', 'sessions']);
  });

  it('should move it back', async () => {
    const { source, target, run } = cells;
    const back = await run(
      target,
      ...['move-organization', owner.organizationId, '--to', toUrl(source.database)],
      ...['--drain-seconds', '0', '--base-url', 'https://first.keycard.example'],
    );
    expect(back).toMatch(/^Moved/);
    expect((await useKey(source, plain)).status).toBe(200);
    await waitFor(async () => (await useKey(target, plain)).status === 421);
    for (const cell of [source, target]) expect(await run(cell, 'audit', 'verify')).toMatch(/^Verified/);
  });
});
