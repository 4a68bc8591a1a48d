import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DatabaseHistory } from '../../src/database/history/database-history.service.js';
import { MetricsService } from '../../src/metrics/metrics.service.js';
import { RetentionService } from '../../src/retention/retention.service.js';
import { createApiKey } from '../factories/api-keys.js';
import { hashEvents } from '../factories/audit-proofs.js';
import { createMember } from '../factories/organizations.js';
import { recordUsage } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { daysAgo, packedUsage, RetainedUsage, runRetention } from './retained-usage.js';

const [service, replica] = useReplicas();
let usage: RetainedUsage;

beforeEach(async () => {
  usage = await RetainedUsage.create(service);
});

/** A task like the app's, with other settings. */
const retentionTask = (settings: { auditRetentionDays?: number } = {}) =>
  new RetentionService(
    { database: service.database, usageRetentionDays: 400, ...settings },
    new MetricsService(),
    service.app.get(DatabaseHistory),
  );

describe('Retention', () => {
  it('should delete usage after USAGE_RETENTION_DAYS, but not a day before', async () => {
    await usage.recordDay(daysAgo(402));
    await usage.recordDay(daysAgo(400));
    await usage.recordDay(daysAgo(399));
    await runRetention(service);
    await runRetention(service);
    const report = await usage.get(`/usage?from=${daysAgo(450)}T00:00:00Z&interval=none`);
    expect(report).toMatchObject({ groups: [{ totals: { requests: 64, limited: 16 } }] });
    const days = await usage.pointsOf(`from=${daysAgo(403)}T00:00:00Z&to=${daysAgo(398)}T00:00:00Z&interval=day`);
    expect(days.map(({ requests }) => requests)).toEqual([0, 0, 0, 32, 32]);
  });

  it('should leave nothing of an organization whose usage is all too old', async () => {
    await usage.recordDay(daysAgo(900));
    await service.query(
      `insert into deleted_api_keys (id, organization_id, name, hint, deleted_at)
       values ($1, $3, 'Old', 'kc_old', now() - interval '402 days'), ($2, $3, 'Newer', 'kc_new', now() - interval '399 days')`,
      [randomUUID(), randomUUID(), usage.member.organizationId],
    );
    await runRetention(service);
    expect(await usage.countRows('usage_series left join usage_by_month on series_id = id')).toBe(0);
    expect(
      await service.query('select name from deleted_api_keys where organization_id = $1', [
        usage.member.organizationId,
      ]),
    ).toEqual([{ name: 'Newer' }]);
  });

  it('should delete checks of limits whose key is gone, and keep the others', async () => {
    const { member } = usage;
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const limits = [{ metric: 'tokens', per: 'day', max: 1, increase: { by: 1, until }, notifyAt: [80] }];
    const limited = async () => {
      const { id } = await createApiKey(service, member);
      await call(service.url, `PATCH /api-keys/${id}`, { token: member.token, body: { limits } });
      return id;
    };
    const [kept, deleted] = [await limited(), await limited()];
    await call(service.url, `DELETE /api-keys/${deleted}`, { token: member.token });
    await runRetention(service);
    const checks = await service.query<{ id: string }>(
      `select distinct owner_id as id from limit_checks where organization_id = $1 and due_at > now() + interval '1 hour'`,
      [member.organizationId],
    );
    expect(checks).toEqual([{ id: kept }]);
  });

  it('should keep organizations apart', async () => {
    const stranger = await createMember(service);
    const strangersKey = await createApiKey(service, stranger);
    await usage.recordDay(daysAgo(401));
    await usage.recordDay(daysAgo(60), stranger, [strangersKey]);
    const path = `/usage?from=${daysAgo(100)}T00:00:00Z&groupBy=apiKey&interval=none`;
    const before = await usage.get(path, stranger);
    await runRetention(service);
    expect(await usage.get(path, stranger)).toEqual(before);
    expect(before).toMatchObject({ groups: [{ apiKey: { id: strangersKey.id }, totals: { requests: 12 } }] });
  });

  it('should let budgets start with usage that is packed', async () => {
    await recordUsage(service, [
      { organizationId: usage.member.organizationId, apiKeyId: usage.key.id, inputTokens: 5 },
    ]);
    await service.query(
      `update usage set hour = greatest(date_trunc('month', now(), 'UTC'), now() - interval '1 day') where organization_id = $1`,
      [usage.member.organizationId],
    );
    await runRetention(service);
    const change = (path: string, limits: object[]) =>
      call(service.url, `PATCH ${path}`, { token: usage.member.token, body: { limits } });
    await change(`/api-keys/${usage.key.id}`, [{ metric: 'tokens', per: 'month', max: 100 }]);
    await change('/organizations/current', [{ metric: 'requests', per: 'month', max: 100 }]);
    const levels = await service.query(
      'select metric, level from limit_counters where organization_id = $1 order by metric',
      [usage.member.organizationId],
    );
    expect(levels).toEqual([
      { metric: 'requests', level: 1 },
      { metric: 'tokens', level: 5 },
    ]);
  });

  it('should roll up counts of failures, and keep their sum', async () => {
    await service.query(
      `insert into failure_counts (organization_id, hour, api_key_id, model, status, code, requests)
       select $1::uuid, $3::timestamptz + hour * interval '1 hour', $2::uuid, '', 404, 'model-not-found', hour + 1 from generate_series(0, 23) as hour
       union all select $1::uuid, $4::timestamptz, $2::uuid, '', 404, 'model-not-found', 1`,
      [usage.member.organizationId, usage.key.id, `${daysAgo(50)}T00:00:00Z`, `${daysAgo(402)}T00:00:00Z`],
    );
    await runRetention(service);
    expect(await usage.countRows('failure_counts')).toBe(1);
    expect(await usage.get(`/usage/failures?from=${daysAgo(500)}T00:00:00Z`)).toMatchObject({
      failures: [{ requests: 300 }],
    });
  });

  it('should delete expired sessions, old links, attempts and failed requests, and keep the others', async () => {
    const { organizationId, userId, roleId } = usage.member;
    const expiries = ['-31 days', '-29 days', '1 day'].map((difference) => `now() + interval '${difference}'`);
    for (const expiry of expiries) {
      const [id, token] = [uuidv7(), `sha256('${randomUUID()}')`];
      await service.query(
        `insert into sessions (id, user_id, organization_id, family_hash, secret_hash, address, expires_at)
         values ($1, $2, $3, ${token}, ${token}, '127.0.0.1', ${expiry})`,
        [id, userId, organizationId],
      );
      await service.query(
        `insert into invitations (id, organization_id, email, role_id, token_hash, expires_at)
         values ($1, $2, gen_random_uuid() || '@example.com', $3, ${token}, ${expiry})`,
        [id, organizationId, roleId],
      );
      await service.query(
        `insert into failed_requests (id, organization_id, api_key_id, occurred_at, route, model, status, code, request_id)
         values ($1, $2, $3, ${expiry}, '', '', 500, 'internal-error', '')`,
        [id, organizationId, usage.key.id],
      );
      await service.query(
        `insert into request_chunks (api_key_id, is_failure, number, organization_id, count, last_at, requests)
         values ($1, false, 0, $2, 1, ${expiry}, '')`,
        [id, organizationId],
      );
      await service.query(
        `insert into rate_limits (key, points, expire) values ($1, 1, extract(epoch from ${expiry}) * 1000)`,
        [id],
      );
    }
    await service.query(
      `insert into password_resets (user_id, token_hash, expires_at) values ($1, sha256('${randomUUID()}'), ${expiries[0]})`,
      [userId],
    );
    await runRetention(service);
    expect(await usage.countRows('sessions')).toBe(2);
    expect(await usage.countRows('invitations')).toBe(2);
    expect(await usage.countRows('failed_requests')).toBe(2);
    expect(await usage.countRows('request_chunks')).toBe(2);
    expect(await service.query('select from rate_limits')).toHaveLength(1);
    expect(await service.query('select from password_resets')).toEqual([]);
    expect((await call(service.url, 'GET /auth/me', { token: usage.member.token })).status).toBe(200);
  });
});

describe('Audit events', () => {
  /** Inserts an event, with an id of its time, as the service does. */
  const insertEvent = (days: number, query = service.query) =>
    query(
      `insert into audit_events (id, organization_id, occurred_at, action, address, target_kind)
       values ($1, $2, now() - make_interval(days => $3), 'api-key.create', '127.0.0.1', 'api-key')`,
      [uuidv7({ msecs: Date.now() - days * 86_400_000 }), usage.member.organizationId, days],
    );
  const countEvents = async () => {
    const rows = await service.query<object>(
      `select from audit_events where organization_id = $1 and actor_email is null`,
      [usage.member.organizationId],
    );
    return rows.length;
  };

  it('should be kept forever by default', async () => {
    await insertEvent(4000);
    await runRetention(service);
    expect(await countEvents()).toBe(1);
  });

  it('should be deleted after AUDIT_RETENTION_DAYS, and still not otherwise', async () => {
    for (const days of [41, 39, 1]) await insertEvent(days);
    await hashEvents(service);
    await retentionTask({ auditRetentionDays: 40 }).run();
    expect(await countEvents()).toBe(2);
    await expect(service.query('delete from audit_events')).rejects.toThrow('cannot be changed or deleted');
    await service.query('select delete_old_audit_events(1, 1000)');
    expect(await countEvents()).toBe(1);
  });
});

describe('The retention task', () => {
  it('should run on one replica at a time', async () => {
    const day = daysAgo(45);
    await usage.recordDay(day);
    const path = `/usage?from=${day}T00:00:00Z&to=${daysAgo(44)}T00:00:00Z&interval=none&groupBy=apiKey`;
    const before = await usage.get(path);
    const lock = service.app.get(DataSource).createQueryRunner();
    await lock.query('select pg_advisory_lock(7402118355)');
    await runRetention(replica);
    expect(await usage.countRows(packedUsage)).toBe(0);
    await lock.query('select pg_advisory_unlock(7402118355)');
    await lock.release();
    await Promise.all([runRetention(service), runRetention(replica)]);
    await runRetention(service);
    expect(await usage.countRows('usage')).toBe(0);
    expect(await usage.get(path)).toEqual(before);
  });

  it('should stop immediately with the service, and roll back what it was doing', async () => {
    const task = retentionTask();
    await usage.recordDay(daysAgo(2));
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('lock table usage_by_hour in exclusive mode');
    const running = task.run();
    const connections = (condition: string) =>
      service.query(
        `select from pg_stat_activity
         where datname = current_database() and application_name = 'keycard retention' and ${condition}`,
      );
    await waitFor(async () => (await connections(`wait_event_type = 'Lock'`)).length > 0);
    const start = performance.now();
    await task.beforeApplicationShutdown();
    await running;
    expect(performance.now() - start).toBeLessThan(2000);
    await blocker.rollbackTransaction();
    await blocker.release();
    // PostgreSQL finishes the statement before it notices that the connection is closed, and keeps the task's lock.
    await waitFor(async () => (await connections('true')).length === 0);
    expect(await usage.countRows(packedUsage)).toBe(0);
    expect(await usage.countRows('usage')).toBeGreaterThan(0);
  });

  it('should log what it packed or deleted, and continue after a step that fails', async () => {
    await usage.recordDay(daysAgo(2));
    await service.query('alter table logout_tokens rename to logout_tokens_away');
    await service.query(`update sessions set expires_at = now() - interval '1 second' where organization_id = $1`, [
      usage.member.organizationId,
    ]);
    await service.query('alter table failure_counts rename to failure_counts_away');
    await runRetention(service);
    await service.query('alter table failure_counts_away rename to failure_counts');
    await service.query('alter table logout_tokens_away rename to logout_tokens');
    // Nest's logger belongs to the app that started last.
    const lines = replica.logLines.map((line) => JSON.parse(line) as { msg: string; rows?: Record<string, number> });
    const report = lines.filter(({ msg }) => msg === 'Packed or deleted old data.').at(-1);
    expect(report?.rows).toMatchObject({
      'packed-usage': expect.any(Number) as number,
      sessions: expect.any(Number) as number,
    });
    expect(lines.map(({ msg }) => msg)).toContain('Retention step failure-counts failed; it is retried in 10 minutes.');
  });
});
