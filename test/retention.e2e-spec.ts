import { randomUUID } from 'node:crypto';
import { DataSource, type QueryRunner } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { PackedUsage1795430000000 } from '../src/database/migrations/1795430000000-PackedUsage.js';
import { UsageHistory1795412300000 } from '../src/database/migrations/1795412300000-UsageHistory.js';
import { MetricsService } from '../src/metrics/metrics.service.js';
import { RetentionService } from '../src/retention/retention.service.js';
import type { UsageReportDto } from '../src/usage/dto/usage-report.dto.js';
import { type CreatedKey, createApiKey } from './factories/api-keys.js';
import { createMember, type Member } from './factories/organizations.js';
import { recordUsage, recordUsageAt } from './factories/usage.js';
import { call } from './setup/call.js';
import { useReplicas } from './setup/use-test-app.js';
import { waitFor } from './setup/wait-for.js';

const [service, replica] = useReplicas();
let member: Member;
let key: CreatedKey;
let busyKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member, 'Search indexer');
  busyKey = await createApiKey(service, member, 'Invoices');
});

const run = (app = service) => app.app.get(RetentionService).run();
/** A task like the app's, with other settings. */
const retentionTask = (settings: { auditRetentionDays?: number } = {}) =>
  new RetentionService({ database: service.database, usageRetentionDays: 400, ...settings }, new MetricsService());
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const get = async (path: string, { token } = member) => {
  const { status, body, text } = await call(service.url, `GET ${path}`, { token });
  expect(status).toBe(200);
  return body ?? text;
};

/** The points of a report without grouping. */
async function pointsOf(query: string): Promise<{ start: string; requests: number }[]> {
  const { groups } = (await get(`/usage?${query}`)) as UsageReportDto;
  return groups[0]?.points ?? [];
}

/** Records requests with different models, outcomes and durations at several times of a day. */
async function recordDay(day: string, { organizationId } = member, keys = [key, busyKey]): Promise<void> {
  const facts = keys.flatMap(({ id: apiKeyId }, index) => [
    { organizationId, apiKeyId, milliseconds: 5, inputTokens: 7 },
    ...Array.from({ length: 1 + 2 * index }, () => ({ organizationId, apiKeyId, milliseconds: 80, inputTokens: 3 })),
    { organizationId, apiKeyId, milliseconds: 900, pages: 2, model: 'other', outcome: 'failure' as const },
    { organizationId, apiKeyId, model: '', outcome: 'limited' as const },
  ]);
  for (const time of ['00:00', '07:00', '10:00', '23:59']) await recordUsageAt(service, `${day}T${time}:00Z`, facts);
}

/** Reports that must not change when usage is packed or rolled up. */
const reports = (from: string, to: string) =>
  [
    'interval=day',
    'interval=none',
    'interval=day&groupBy=apiKey',
    'interval=none&groupBy=apiKey&limit=1',
    'interval=day&groupBy=apiKey&limit=1',
    'interval=day&groupBy=apiKey&limit=1&page=2',
    'interval=none&groupBy=apiKey&limit=1&page=3',
    'interval=day&groupBy=model',
    'interval=day&groupBy=model&limit=1',
    `interval=day&apiKeyId=${busyKey.id}`,
    `interval=none&groupBy=apiKey&apiKeyId=${busyKey.id}`,
    'interval=day&model=other&groupBy=apiKey',
  ]
    .map((query) => `/usage?from=${from}T00:00:00Z&to=${to}T00:00:00Z&${query}`)
    .concat(`/usage/export?from=${from}T00:00:00Z&to=${to}T00:00:00Z&groupBy=apiKey`);

const readAll = (paths: string[]) => Promise.all(paths.map((path) => get(path)));

const countRows = async (from: string, { organizationId } = member): Promise<number> => {
  const [row] = await service.query<{ count: number }>(
    `select count(*)::int as count from ${from} where organization_id = $1`,
    [organizationId],
  );
  return row?.count ?? 0;
};
const history = 'usage_by_hour join usage_series on series_id = id';

async function inRolledBackTransaction<Result>(work: (runner: QueryRunner) => Promise<Result>): Promise<Result> {
  const runner = service.app.get(DataSource).createQueryRunner();
  await runner.startTransaction();
  try {
    return await work(runner);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

describe('Usage reports', () => {
  it('should stay the same when usage is packed, and hours older than 35 days are deleted', async () => {
    for (const days of [80, 60, 36, 35, 3, 1]) await recordDay(daysAgo(days));
    const paths = [...reports(daysAgo(100), daysAgo(-1)), ...reports(daysAgo(60), daysAgo(3))];
    const hours = `/usage?from=${daysAgo(35)}T00:00:00Z&to=${daysAgo(2)}T00:00:00Z&interval=hour`;
    const before = await readAll([...paths, hours]);
    await run();
    expect(await countRows('usage')).toBe(0);
    expect(await countRows(`${history} and start < now() - interval '37 days'`)).toBe(0);
    expect(await readAll([...paths, hours])).toEqual(before);
  });

  it('should include usage of an hour that is written after the hour was packed or deleted', async () => {
    const day = daysAgo(50);
    const path = `/usage?from=${day}T00:00:00Z&to=${daysAgo(49)}T00:00:00Z&groupBy=apiKey&interval=none`;
    await recordDay(day);
    await run();
    await recordDay(day);
    const before = await get(path);
    await run();
    expect(await get(path)).toEqual(before);
    expect(before).toMatchObject({ groups: [{ totals: { requests: 40 } }, { totals: { requests: 24 } }] });
    expect(await countRows('usage')).toBe(0);
  });

  it('should leave out keys that were only used at other times of the same year, month or day', async () => {
    await recordDay(daysAgo(3), member, [key]);
    await recordDay(daysAgo(2), member, [busyKey]);
    await recordUsageAt(service, `${daysAgo(2)}T23:00:00Z`, [
      { organizationId: member.organizationId, apiKeyId: key.id },
    ]);
    await run();
    for (const hour of ['00', '23']) {
      const period = `from=${daysAgo(2)}T00:00:00Z&to=${daysAgo(2)}T${hour}:30:00Z`;
      const { groups } = (await get(`/usage?${period}&interval=none&groupBy=apiKey`)) as UsageReportDto;
      expect(groups.map(({ apiKey }) => apiKey?.id)).toEqual(hour === '00' ? [busyKey.id] : [busyKey.id, key.id]);
    }
  });

  it('should not move the current hour, nor an hour that is being written', async () => {
    await recordUsageAt(service, `${daysAgo(2)}T09:00:00Z`, [
      { organizationId: member.organizationId, apiKeyId: busyKey.id },
    ]);
    await recordUsage(service, [{ organizationId: member.organizationId, apiKeyId: key.id }]);
    await recordUsage(service, [{ organizationId: member.organizationId, apiKeyId: key.id }]);
    const writer = service.app.get(DataSource).createQueryRunner();
    await writer.startTransaction();
    await writer.query('update usage set requests = requests + 1 where organization_id = $1 and api_key_id = $2', [
      member.organizationId,
      busyKey.id,
    ]);
    await run();
    expect(await countRows(history)).toBe(0);
    await writer.commitTransaction();
    await writer.release();
    await run();
    const report = await get('/usage?from=' + daysAgo(3) + 'T00:00:00Z&interval=none&groupBy=apiKey');
    expect(report).toMatchObject({ groups: [{ totals: { requests: 2 } }, { totals: { requests: 2 } }] });
    expect(await countRows('usage')).toBe(1);
  });

  it('should move back when the migrations are reverted', async () => {
    for (const days of [50, 2]) await recordDay(daysAgo(days));
    const sums = `select sum(requests)::int as requests, sum(failures)::int as failures, sum(limited)::int as limited,
      sum(input_tokens)::int as tokens, sum(pages)::int as pages, count(distinct latency_bucket)::int as buckets
      from usage where organization_id = '${member.organizationId}'`;
    const before = await service.query(sums);
    await run();
    const after = await inRolledBackTransaction(async (runner) => {
      await new PackedUsage1795430000000().down(runner);
      await new UsageHistory1795412300000().down(runner);
      return (await runner.query(sums)) as unknown;
    });
    expect(after).toEqual(before);
  });

  it('should keep usage that an earlier version packed', async () => {
    for (const days of [80, 50, 35, 34, 2]) await recordDay(daysAgo(days));
    await run();
    const read = async (runner: QueryRunner) => {
      const rows = (table: string, condition = 'true') =>
        runner.query(`select * from ${table} where ${condition} order by series_id, start`) as Promise<object[]>;
      const hours = await rows('usage_by_hour', `start >= date_trunc('day', now() - interval '35 days', 'UTC')`);
      return [hours, await rows('usage_by_day'), await rows('usage_by_month')];
    };
    const [before, after] = await inRolledBackTransaction(async (runner) => {
      const packed = await read(runner);
      const migration = new PackedUsage1795430000000();
      await migration.down(runner);
      await migration.up(runner);
      return [packed, await read(runner)];
    });
    expect(after).toEqual(before);
    expect(before?.map(({ length }) => length > 0)).toEqual([true, true, true]);
  });

  it('should reject hours that are no longer kept, and say how to read them', async () => {
    const response = await call(
      service.url,
      `GET /usage?from=${daysAgo(36)}T00:00:00Z&to=${daysAgo(35)}T00:00:00Z&interval=hour`,
      {
        token: member.token,
      },
    );
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ field: 'from', message: expect.stringContaining('Use interval=day') as string }],
    });
  });

  it('should count a UTC day without hours for the same date in other time zones', async () => {
    const day = daysAgo(50);
    await recordDay(day);
    await run();
    for (const timeZone of ['America/Los_Angeles', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Auckland']) {
      const query = `from=${daysAgo(52)}T00:00:00Z&to=${daysAgo(48)}T00:00:00Z&interval=day&timeZone=${timeZone}`;
      const used = (await pointsOf(query)).filter(({ requests }) => requests > 0);
      const dateOf = (start: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(start));
      expect(used.map(({ start, requests }) => [dateOf(start), requests])).toEqual([[day, 32]]);
    }
  });
});

describe('Totals of a period without hours', () => {
  const total = async (from: string, to: string) => {
    const { groups, ...report } = (await get(`/usage?from=${from}&to=${to}&interval=none`)) as UsageReportDto;
    return [report.from.slice(0, 16), report.to.slice(0, 16), groups[0]?.totals.requests];
  };

  it('should count whole UTC days, and return which', async () => {
    await recordDay(daysAgo(50));
    await run();
    const [before, day, after] = [51, 50, 49].map(daysAgo);
    const whole = [`${day}T00:00`, `${after}T00:00`, 32];
    expect(await total(`${before}T23:00:00Z`, `${day}T22:00:00Z`)).toEqual(whole);
    expect(await total(`${day}T08:00:00Z`, `${after}T08:00:00Z`)).toEqual(whole);
    expect(await total(`${day}T10:01:00Z`, `${after}T09:00:00Z`)).toEqual(whole);
    expect(await total(`${day}T11:00:00Z`, `${after}T11:00:00Z`)).toEqual([
      `${after}T00:00`,
      `${daysAgo(48)}T00:00`,
      0,
    ]);
  });

  it('should be refused if no day is left, with the start of the hours', async () => {
    const query = `from=${daysAgo(50)}T11:00:00Z&to=${daysAgo(50)}T15:00:00Z&interval=none`;
    const response = await call(service.url, `GET /usage?${query}`, { token: member.token });
    expect(response.status).toBe(400);
    const { hourlyFrom } = (await get('/usage')) as UsageReportDto;
    expect(hourlyFrom).toBe(`${daysAgo(35)}T00:00:00.000Z`);
    expect(response.body).toMatchObject({
      errors: [{ field: 'from', message: expect.stringContaining(hourlyFrom) as string }],
    });
  });
});

describe('Retention', () => {
  it('should delete usage after USAGE_RETENTION_DAYS, but not a day before', async () => {
    await recordDay(daysAgo(402));
    await recordDay(daysAgo(400));
    await recordDay(daysAgo(399));
    await run();
    await run();
    const report = await get(`/usage?from=${daysAgo(450)}T00:00:00Z&interval=none`);
    expect(report).toMatchObject({ groups: [{ totals: { requests: 64, limited: 16 } }] });
    const days = await pointsOf(`from=${daysAgo(403)}T00:00:00Z&to=${daysAgo(398)}T00:00:00Z&interval=day`);
    expect(days.map(({ requests }) => requests)).toEqual([0, 0, 0, 32, 32]);
  });

  it('should leave nothing of an organization whose usage is all too old', async () => {
    await recordDay(daysAgo(900));
    await service.query(
      `insert into deleted_api_keys (id, organization_id, name, hint, deleted_at)
       values ($1, $3, 'Old', 'kc_old', now() - interval '402 days'), ($2, $3, 'Newer', 'kc_new', now() - interval '399 days')`,
      [randomUUID(), randomUUID(), member.organizationId],
    );
    await run();
    expect(await countRows('usage_series left join usage_by_month on series_id = id')).toBe(0);
    expect(
      await service.query('select name from deleted_api_keys where organization_id = $1', [member.organizationId]),
    ).toEqual([{ name: 'Newer' }]);
  });

  it('should keep organizations apart', async () => {
    const stranger = await createMember(service);
    const strangersKey = await createApiKey(service, stranger);
    await recordDay(daysAgo(401));
    await recordDay(daysAgo(60), stranger, [strangersKey]);
    const path = `/usage?from=${daysAgo(100)}T00:00:00Z&groupBy=apiKey&interval=none`;
    const before = await get(path, stranger);
    await run();
    expect(await get(path, stranger)).toEqual(before);
    expect(before).toMatchObject({ groups: [{ apiKey: { id: strangersKey.id }, totals: { requests: 12 } }] });
  });

  it('should let budgets start with usage that is packed', async () => {
    await recordUsage(service, [{ organizationId: member.organizationId, apiKeyId: key.id, inputTokens: 5 }]);
    await service.query(
      `update usage set hour = greatest(date_trunc('month', now(), 'UTC'), now() - interval '1 day') where organization_id = $1`,
      [member.organizationId],
    );
    await run();
    const change = (path: string, limits: object[]) =>
      call(service.url, `PATCH ${path}`, { token: member.token, body: { limits } });
    await change(`/api-keys/${key.id}`, [{ metric: 'tokens', per: 'month', max: 100 }]);
    await change('/organizations/current', [{ metric: 'requests', per: 'month', max: 100 }]);
    const levels = await service.query(
      'select metric, level from limit_counters where organization_id = $1 order by metric',
      [member.organizationId],
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
      [member.organizationId, key.id, `${daysAgo(50)}T00:00:00Z`, `${daysAgo(402)}T00:00:00Z`],
    );
    await run();
    expect(await countRows('failure_counts')).toBe(1);
    expect(await get(`/usage/failures?from=${daysAgo(500)}T00:00:00Z`)).toMatchObject({
      failures: [{ requests: 300 }],
    });
  });

  it('should delete expired sessions, old links, attempts and failed requests, and keep the others', async () => {
    const { organizationId, userId, roleId } = member;
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
        [id, organizationId, key.id],
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
    await run();
    expect(await countRows('sessions')).toBe(2);
    expect(await countRows('invitations')).toBe(2);
    expect(await countRows('failed_requests')).toBe(2);
    expect(await service.query('select from rate_limits')).toHaveLength(1);
    expect(await service.query('select from password_resets')).toEqual([]);
    expect((await call(service.url, 'GET /auth/me', { token: member.token })).status).toBe(200);
  });
});

describe('Audit events', () => {
  /** Inserts an event, with an id of its time, as the service does. */
  const insertEvent = (days: number, query = service.query) =>
    query(
      `insert into audit_events (id, organization_id, occurred_at, action, address, target_kind)
       values ($1, $2, now() - make_interval(days => $3), 'api-key.create', '127.0.0.1', 'api-key')`,
      [uuidv7({ msecs: Date.now() - days * 86_400_000 }), member.organizationId, days],
    );
  const countEvents = async () => {
    const rows = await service.query<object>(
      `select from audit_events where organization_id = $1 and actor_email is null`,
      [member.organizationId],
    );
    return rows.length;
  };

  it('should be kept forever by default', async () => {
    await insertEvent(4000);
    await run();
    expect(await countEvents()).toBe(1);
  });

  it('should be deleted after AUDIT_RETENTION_DAYS, and still not otherwise', async () => {
    for (const days of [41, 39, 1]) await insertEvent(days);
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
    await recordDay(day);
    const path = `/usage?from=${day}T00:00:00Z&to=${daysAgo(44)}T00:00:00Z&interval=none&groupBy=apiKey`;
    const before = await get(path);
    const lock = service.app.get(DataSource).createQueryRunner();
    await lock.query('select pg_advisory_lock(7402118355)');
    await run(replica);
    expect(await countRows(history)).toBe(0);
    await lock.query('select pg_advisory_unlock(7402118355)');
    await lock.release();
    await Promise.all([run(service), run(replica)]);
    await run();
    expect(await countRows('usage')).toBe(0);
    expect(await get(path)).toEqual(before);
  });

  it('should stop immediately with the service, and roll back what it was doing', async () => {
    const task = retentionTask();
    await recordDay(daysAgo(2));
    const blocker = service.app.get(DataSource).createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('lock table usage_by_hour in exclusive mode');
    const running = task.run();
    const isBlocked = async () => {
      const waiting = await service.query(
        `select from pg_stat_activity where application_name = 'keycard retention' and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    };
    await waitFor(isBlocked);
    const start = performance.now();
    await task.beforeApplicationShutdown();
    await running;
    expect(performance.now() - start).toBeLessThan(2000);
    await blocker.rollbackTransaction();
    await blocker.release();
    await waitFor(async () => !(await isBlocked()));
    expect(await countRows(history)).toBe(0);
    expect(await countRows('usage')).toBeGreaterThan(0);
  });

  it('should log what it packed or deleted, and continue after a step that fails', async () => {
    await recordDay(daysAgo(2));
    await service.query('alter table logout_tokens rename to logout_tokens_away');
    await service.query(`update sessions set expires_at = now() - interval '1 second' where organization_id = $1`, [
      member.organizationId,
    ]);
    await service.query('alter table failure_counts rename to failure_counts_away');
    await run();
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
