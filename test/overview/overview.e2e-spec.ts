import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { Permission } from '../../src/access/permissions.js';
import type { AuditAction } from '../../src/audit/audit-actions.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { OverviewDto } from '../../src/overview/dto/overview.dto.js';
import type { AttentionDto, AttentionKind } from '../../src/overview/dto/attention.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { insertAuditEvents, testOrigin } from '../factories/audit-log.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsage, recordUsageAt } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { nowhere, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';

const models = [
  ...defaultModels(),
  upstreamModel([{ baseUrl: nowhere }], { id: 'remote', price: { perMillionTokens: { input: '2' } } }),
];
const service = useTestApp({ config: { models } });
const day = 24 * 3_600_000;
let owner: Member;

beforeEach(async () => {
  owner = await createMember(service);
});

async function overviewFor({ token }: Member): Promise<OverviewDto> {
  const { status, body } = await call(service.url, 'GET /overview', { token });
  expect(status).toBe(200);
  return body as OverviewDto;
}

async function find(kind: AttentionKind, member = owner): Promise<AttentionDto | undefined> {
  return (await overviewFor(member)).attention.find((entry) => entry.kind === kind);
}

const nothing = (kind: AttentionKind) => ({ kind, count: 0, first: [] });

/** Creates a key and sets columns of its row. */
async function createKeyWith(name: string, columns: string, member = owner): Promise<CreatedKey> {
  const key = await createApiKey(service, member, name);
  await service.query(`update api_keys set ${columns} where id = $1`, [key.id]);
  return key;
}

describe('GET /overview', () => {
  it('should sum up requests, failures, tokens and costs of today and the month', async () => {
    const { organizationId } = owner;
    const { id: apiKeyId } = await createApiKey(service, owner);
    const fact = { organizationId, apiKeyId, model: 'remote' };
    await recordUsage(service, [
      { ...fact, inputTokens: 1_000_000, outputTokens: 5 },
      { ...fact, outcome: 'failure' },
      { ...fact, outcome: 'limited' },
    ]);
    const { today, month, currency } = await overviewFor(owner);
    const expected = {
      requests: 2,
      failures: 1,
      inputTokens: 1_000_000,
      outputTokens: 5,
      cost: '2',
      unpricedRequests: 0,
    };
    expect(currency).toBe('USD');
    expect(today?.totals).toEqual(expected);
    expect(month?.totals).toEqual(expected);
    expect(today?.points.at(-1)).toMatchObject({ requests: 2 });
    expect(month?.points.at(-1)).toMatchObject({ start: today?.from, requests: 2, cost: '2' });
  });

  it('should count usage of earlier hours, days and months in their periods only', async () => {
    const { organizationId } = owner;
    const { id: apiKeyId } = await createApiKey(service, owner);
    const { today, month } = await overviewFor(owner);
    const start = Date.parse(month?.from ?? '');
    const isFirstDay = month?.from === today?.from;
    for (const [instant, count] of [
      [start - 3_600_000, 1],
      [start, 2],
    ] as const) {
      const facts = Array.from({ length: count }, () => ({ organizationId, apiKeyId }));
      await recordUsageAt(service, new Date(instant).toISOString(), facts);
    }
    const after = await overviewFor(owner);
    expect(after.month?.totals).toMatchObject({ requests: 2, cost: null, unpricedRequests: 2 });
    expect(after.month?.points[0]).toMatchObject({ start: month?.from, requests: 2 });
    expect(after.today?.totals.requests).toBe(isFirstDay ? 2 : 0);
  });

  it('should forecast the cost of the month by weekday, also on its first day', async () => {
    const { organizationId } = owner;
    const { id: apiKeyId } = await createApiKey(service, owner);
    const { today, month, costForecast } = await overviewFor(owner);
    expect(costForecast).toBeNull();
    const [midnight, first] = [Date.parse(today?.from ?? ''), Date.parse(month?.from ?? '')];
    const oldest = Math.min(first, midnight - 28 * day);
    const fact = { organizationId, apiKeyId, model: 'remote', inputTokens: 1_000_000 };
    for (let start = oldest; start < midnight; start += day) {
      await recordUsageAt(service, new Date(start).toISOString(), [fact]);
    }
    const after = await overviewFor(owner);
    const days = (Date.parse(month?.to ?? '') - first) / day;
    expect(after.costForecast).toBe(String(2 * days));
    expect(after.month?.points).toHaveLength((midnight - first) / day + 1);
  });

  it("should begin the day in the organization's time zone", async () => {
    await service.query(`update organizations set time_zone = 'Pacific/Kiritimati' where id = $1`, [
      owner.organizationId,
    ]);
    const { today, timeZone } = await overviewFor(owner);
    expect(timeZone).toBe('Pacific/Kiritimati');
    expect(today?.from).toMatch(/T10:00:00\.000Z$/);
  });

  it("should return the state of the organization's limits", async () => {
    await setLimits(service, owner, [{ metric: 'cost', per: 'month', max: '25000000000' }]);
    expect((await overviewFor(owner)).limits).toMatchObject([{ metric: 'cost', per: 'month', max: '25', used: '0' }]);
  });

  it('should find nothing that needs attention in a new organization', async () => {
    await createApiKey(service, owner);
    expect((await overviewFor(owner)).attention).toEqual([
      nothing('leaked-keys'),
      nothing('failing-upstreams'),
      nothing('failing-webhooks'),
      nothing('keys-near-limits'),
      nothing('expiring-keys'),
      nothing('keys-known-to-former-members'),
      nothing('unused-keys'),
      nothing('members-never-signed-in'),
    ]);
  });

  it('should name keys that expire within 7 days, the next one first', async () => {
    const later = new Date(Date.now() + 6 * day);
    const [second, first] = [
      await createApiKey(service, owner, 'Second', later),
      await createApiKey(service, owner, 'First', new Date(Date.now() + day)),
    ];
    await createApiKey(service, owner, 'Next month', new Date(Date.now() + 8 * day));
    await createKeyWith('Disabled', `enabled = false, expires_at = now() + interval '1 day'`);
    await createKeyWith('Expired', `expires_at = now() - interval '1 day'`);
    expect(await find('expiring-keys')).toMatchObject({
      count: 2,
      first: [
        { id: first.id, name: 'First', hint: first.key.slice(0, 8) },
        { id: second.id, at: later.toISOString() },
      ],
    });
  });

  it('should name active keys not used for 90 days, the least recently used first, and count the rest', async () => {
    const old = `created_at = now() - interval '200 days'`;
    await createKeyWith('Used lately', `${old}, last_used_at = now() - interval '89 days'`);
    await createKeyWith('Disabled', `${old}, enabled = false`);
    await createKeyWith('New', `created_at = now() - interval '89 days'`);
    for (let days = 96; days > 90; days -= 1) {
      await createKeyWith(`Used ${days} days ago`, `${old}, last_used_at = now() - interval '${days} days'`);
    }
    const never = await createKeyWith('Never used', old);
    const unused = await find('unused-keys');
    expect(unused?.count).toBe(7);
    expect(unused?.first).toHaveLength(5);
    expect(unused?.first[0]).toMatchObject({ id: never.id, name: 'Never used' });
    expect(unused?.first[1]).toMatchObject({ name: 'Used 96 days ago' });
  });

  it('should name keys whose leaked secret is still accepted', async () => {
    const leaked = await createKeyWith('Leaked', `leaked_at = now(), leaked_secret = 'current'`);
    const previous = `leaked_at = now() - interval '1 day', leaked_secret = 'previous', previous_secret_hash = sha256(id::text::bytea)`;
    const rotated = await createKeyWith(
      'Rotated',
      `${previous}, previous_secret_expires_at = now() + interval '1 day'`,
    );
    await createKeyWith('Safe', `${previous}, previous_secret_expires_at = now() - interval '1 second'`);
    expect(await find('leaked-keys')).toMatchObject({ count: 2, first: [{ id: leaked.id }, { id: rotated.id }] });
  });

  it('should name leaked keys that are disabled last', async () => {
    await createKeyWith('Disabled', `leaked_at = now(), leaked_secret = 'current', enabled = false`);
    await createKeyWith('Enabled', `leaked_at = now() - interval '1 day', leaked_secret = 'current'`);
    expect((await find('leaked-keys'))?.first).toMatchObject([
      { name: 'Enabled', isDisabled: false },
      { name: 'Disabled', isDisabled: true },
    ]);
  });

  it('should name keys that have used 80% of a budget in its current period', async () => {
    const use = (level: number, at = 'now()', charged = 0) =>
      `level = ${level}, charged = ${charged}, level_at = ${at}`;
    const spend = async (name: string, columns: string, ...limits: Parameters<typeof setLimits>[2]) => {
      const { id: keyId } = await createApiKey(service, owner, name);
      await setLimits(service, { keyId }, limits);
      await service.query(`update limit_counters set ${columns} where owner_id = $1`, [keyId]);
      return keyId;
    };
    const month = { metric: 'requests', per: 'month', max: 10 } as const;
    const eighty = await spend('80%', use(8), month);
    const cost = await spend('Cost', use(0, 'now()', 120), { metric: 'cost', per: 'month', max: '100' });
    const ofModel = await spend('Model', use(948), { metric: 'tokens', per: 'month', max: 1000, models: ['remote'] });
    await spend('79%', use(7), month);
    await spend('Previous month', use(10, `now() - interval '32 days'`), month);
    const until = new Date(Date.now() + day).toISOString();
    await spend('Increased', use(10), { ...month, increase: { by: 90, until } });
    await spend('Refills', use(10), { metric: 'requests', per: 'hour', max: 10 });
    expect(await find('keys-near-limits')).toMatchObject({
      count: 3,
      first: [
        { id: cost, usedPercent: 120 },
        { id: ofModel, usedPercent: 94.8 },
        { id: eighty, usedPercent: 80 },
      ],
    });
  });

  it('should name failing webhooks by their host, those that were disabled first', async () => {
    const insert = async (host: string, columns = 'true, null', attempts = '[]') => {
      const [row] = await service.query<{ id: string }>(
        `insert into webhooks (id, organization_id, url, secret, enabled, disabled_reason)
         values (gen_random_uuid(), $1, $2, 'secret', ${columns}) returning id`,
        [owner.organizationId, `https://${host}/secret-path`],
      );
      await service.query(
        `insert into webhook_deliveries (organization_id, webhook_id, event_id, attempts)
         values ($1, $2, gen_random_uuid(), $3)`,
        [owner.organizationId, row?.id, attempts],
      );
      return row?.id;
    };
    await insert('waiting.example.com');
    await insert('off.example.com', 'false, null', '[{}]');
    const failing = await insert('failing.example.com', 'true, null', '[{}]');
    const disabled = await insert('gone.example.com', `false, 'gone'`);
    expect(await find('failing-webhooks')).toEqual({
      kind: 'failing-webhooks',
      count: 2,
      first: [
        { id: disabled, name: 'gone.example.com', isDisabled: true },
        { id: failing, name: 'failing.example.com', isDisabled: false },
      ],
    });
  });

  it('should name upstreams whose circuit is open, with their model', async () => {
    const { key } = await createApiKey(service, owner);
    const body = { model: 'remote', input: 'text' };
    for (let request = 0; request < 5; request += 1)
      await call(service.url, 'POST /v1/embeddings', { token: key, body });
    const failing = await find('failing-upstreams');
    expect(failing).toMatchObject({ count: 1, first: [{ id: 'remote', name: new URL(nowhere).host }] });
  });

  it('should name members without a session and without a sign-in in any organization', async () => {
    const { organizationId } = owner;
    const [never, elsewhere] = [await createMember(service, { organizationId }), await createMember(service)];
    await service.query(
      `insert into memberships (id, user_id, organization_id, role_id) values (gen_random_uuid(), $1, $2, $3)`,
      [elsewhere.userId, organizationId, owner.roleId],
    );
    await service.query(
      `insert into audit_events (id, organization_id, action, actor_id, address, target_kind)
       values (gen_random_uuid(), $1, 'sign-in', $2, '127.0.0.1', 'session'),
         (gen_random_uuid(), $3, 'sign-in-failed', $4, '127.0.0.1', 'session')`,
      [elsewhere.organizationId, elsewhere.userId, organizationId, never.userId],
    );
    await service.query('delete from sessions where user_id = any ($1)', [[never.userId, elsewhere.userId]]);
    expect(await find('members-never-signed-in')).toMatchObject({
      count: 1,
      first: [{ id: never.membershipId, name: 'A member' }],
    });
  });

  it('should return the latest changes, without sign-ins, and the names of people if the caller may see them', async () => {
    const { id } = await createApiKey(service, owner, 'Search indexer');
    await service.query(
      `insert into audit_events (id, organization_id, action, address, target_kind)
       values (gen_random_uuid(), $1, 'sign-in', '127.0.0.1', 'session')`,
      [owner.organizationId],
    );
    const { changes, people } = await overviewFor(owner);
    expect(changes).toMatchObject([{ action: 'api-key.create', target: { id } }]);
    expect(people).toMatchObject([{ id: owner.userId, email: changes?.[0]?.actor.email }]);
    const reader = await createMember(service, {
      organizationId: owner.organizationId,
      permissions: ['get-audit-events'],
    });
    expect((await overviewFor(reader)).people).toEqual([]);
  });

  it('should return what one actor did at once as one change, with the number of resources', async () => {
    const target = { targetKind: 'api-key' as const, targetHint: 'kc_4fT9q' };
    const deletions = Array.from({ length: 300 }, (_, index) => ({
      ...target,
      action: 'api-key.delete' as const,
      targetId: randomUUID(),
      targetName: `Batch ${index}`,
      occurredAt: new Date(Date.now() - 1000 - index),
    }));
    await insertAuditEvents(service, owner, deletions);
    const created = [];
    for (const name of ['First', 'Second']) created.push((await createApiKey(service, owner, name)).id);
    const { changes } = await overviewFor(owner);
    expect(changes?.map(({ action, target: { id }, count }) => [action, id, count])).toEqual([
      ['api-key.create', created[1], undefined],
      ['api-key.create', created[0], undefined],
      ['api-key.delete', deletions[0]?.targetId, 300],
    ]);
  });

  it('should return two changes of several keys as two, however soon they follow each other', async () => {
    for (const count of [2, 3]) {
      const ids = [];
      for (let number = 0; number < count; number += 1) ids.push((await createApiKey(service, owner)).id);
      await call(service.url, 'POST /api-keys/bulk-delete', { token: owner.token, body: { ids } });
    }
    const { changes } = await overviewFor(owner);
    const deletions = changes?.filter(({ action }) => action === 'api-key.delete');
    expect(deletions?.map(({ count }) => count)).toEqual([3, 2]);
  });

  it('should return single changes one by one, however soon they follow each other', async () => {
    const ids = [];
    for (let number = 0; number < 4; number += 1) ids.push((await createApiKey(service, owner)).id);
    for (const id of ids) await call(service.url, `DELETE /api-keys/${id}`, { token: owner.token });
    const { changes } = await overviewFor(owner);
    const deletions = changes?.filter(({ action }) => action === 'api-key.delete');
    expect(deletions?.map(({ target: { id }, count }) => [id, count])).toEqual(
      ids.toReversed().map((id) => [id, undefined]),
    );
  });

  it('should count all events of a request, even if more changes than it returns happened in between', async () => {
    const { userId: id, organizationId } = owner;
    const record = (action: AuditAction, requestId: string) =>
      service.app
        .get(AuditService)
        .record(
          service.app.get(DataSource).manager,
          { id, organizationId, origin: { ...testOrigin, requestId } },
          { action, target: { kind: 'api-key', id: randomUUID(), name: 'A key' } },
        );
    for (let number = 0; number < 60; number += 1) {
      await record('api-key.delete', 'a bulk deletion');
      if (number % 6 === 0) await record('account.update', `another request ${number}`);
    }
    const { changes } = await overviewFor(owner);
    expect(changes?.find(({ action }) => action === 'api-key.delete')?.count).toBe(60);
  });

  it('should return six changes at most, however many events each has', async () => {
    for (let number = 0; number < 7; number += 1) {
      await insertAuditEvents(
        service,
        owner,
        Array.from({ length: 20 }, (_, index) => ({
          action: 'api-key.delete' as const,
          targetKind: 'api-key' as const,
          targetName: `Key ${index}`,
          targetId: randomUUID(),
          occurredAt: new Date(Date.now() - number * 120_000 - index),
        })),
      );
    }
    expect((await overviewFor(owner)).changes?.map(({ count }) => count)).toEqual([20, 20, 20, 20, 20, 20]);
  });

  it('should have a checklist that completes itself, and ends when all is done or after 30 days', async () => {
    const isDone = async () => (await overviewFor(owner)).firstSteps?.map((step) => step.isDone);
    expect((await overviewFor(owner)).firstSteps).toEqual([
      { name: 'key', isDone: false },
      { name: 'request', isDone: false },
      { name: 'limit', isDone: false },
      { name: 'invitation', isDone: false },
      { name: 'model', isDone: true },
    ]);
    const { organizationId } = owner;
    const { id: keyId } = await createApiKey(service, owner);
    expect(await isDone()).toEqual([true, false, false, false, true]);
    await recordUsage(service, [{ organizationId, apiKeyId: keyId }]);
    expect(await isDone()).toEqual([true, true, false, false, true]);
    await setLimits(service, { keyId }, [{ metric: 'requests', per: 'day', max: 10 }]);
    expect(await isDone()).toEqual([true, true, true, false, true]);
    const age = (interval: string) =>
      service.query(`update organizations set created_at = now() - interval '${interval}' where id = $1`, [
        organizationId,
      ]);
    await age('31 days');
    expect(await isDone()).toBeUndefined();
    await age('1 day');
    await createMember(service, { organizationId });
    expect(await isDone()).toBeUndefined();
  });

  it.each<[Permission[], (keyof OverviewDto)[], AttentionKind[]]>([
    [[], [], []],
    [['get-usage'], ['today', 'month', 'previousMonth', 'costForecast'], []],
    [
      ['get-api-keys'],
      [],
      ['leaked-keys', 'keys-near-limits', 'expiring-keys', 'keys-known-to-former-members', 'unused-keys'],
    ],
    [['get-webhooks'], [], ['failing-webhooks']],
    [['get-members'], [], ['members-never-signed-in']],
    [['get-audit-events'], ['changes', 'people'], []],
  ])('should have only the parts that %j allows', async (permissions, parts, kinds) => {
    const overview = await overviewFor(await createMember(service, { permissions }));
    const optional: (keyof OverviewDto)[] = ['today', 'month', 'previousMonth', 'costForecast', 'changes', 'people'];
    expect(optional.filter((part) => part in overview)).toEqual(parts);
    const found = overview.attention.map(({ kind }) => kind).filter((kind) => kind !== 'failing-upstreams');
    expect(found).toEqual(kinds);
  });

  it('should return nothing of another organization', async () => {
    const other = await createMember(service);
    const { id: apiKeyId } = await createKeyWith(
      'Foreign',
      `leaked_at = now(), leaked_secret = 'current', created_at = now() - interval '1 year', expires_at = now() + interval '1 day'`,
      other,
    );
    await setLimits(service, { keyId: apiKeyId }, [{ metric: 'requests', per: 'month', max: 1 }]);
    await service.query('update limit_counters set level = 1 where owner_id = $1', [apiKeyId]);
    await recordUsage(service, [{ organizationId: other.organizationId, apiKeyId }]);
    await service.query(
      `insert into webhooks (id, organization_id, url, secret, enabled, disabled_reason)
       values (gen_random_uuid(), $1, 'https://example.com', 'secret', false, 'gone')`,
      [other.organizationId],
    );
    await service.query('delete from sessions where user_id = $1', [other.userId]);
    const { today, month, attention, changes, limits } = await overviewFor(owner);
    expect([today?.totals.requests, month?.totals.requests]).toEqual([0, 0]);
    expect(attention.filter(({ kind, count }) => kind !== 'failing-upstreams' && count > 0)).toEqual([]);
    expect([changes, limits]).toEqual([[], []]);
  });

  it('should return 401 without a token', async () => {
    expect((await call(service.url, 'GET /overview')).status).toBe(401);
  });
});
