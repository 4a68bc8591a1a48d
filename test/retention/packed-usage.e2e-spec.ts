import { DataSource } from 'typeorm';
import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { recordUsage, recordUsageAt } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { daysAgo, packedUsage, RetainedUsage, runRetention } from './retained-usage.js';

const service = useTestApp();
let usage: RetainedUsage;

beforeEach(async () => {
  usage = await RetainedUsage.create(service);
});

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
    `interval=day&apiKeyId=${usage.busyKey.id}`,
    `interval=none&groupBy=apiKey&apiKeyId=${usage.busyKey.id}`,
    'interval=day&model=other&groupBy=apiKey',
  ]
    .map((query) => `/usage?from=${from}T00:00:00Z&to=${to}T00:00:00Z&${query}`)
    .concat(`/usage/export?from=${from}T00:00:00Z&to=${to}T00:00:00Z&groupBy=apiKey`);

const readAll = (paths: string[]) => Promise.all(paths.map((path) => usage.get(path)));

describe('Usage reports', () => {
  it('should return the start of the usage that is kept', async () => {
    const { keptFrom } = (await usage.get('/usage')) as UsageReportDto;
    expect(keptFrom).toBe(`${daysAgo(400)}T00:00:00.000Z`);
  });

  it('should stay the same when usage is packed, and hours older than 35 days are deleted', async () => {
    for (const days of [80, 60, 36, 35, 3, 1]) await usage.recordDay(daysAgo(days));
    const paths = [...reports(daysAgo(100), daysAgo(-1)), ...reports(daysAgo(60), daysAgo(3))];
    const hours = `/usage?from=${daysAgo(35)}T00:00:00Z&to=${daysAgo(2)}T00:00:00Z&interval=hour`;
    const before = await readAll([...paths, hours]);
    await runRetention(service);
    expect(await usage.countRows('usage')).toBe(0);
    expect(await usage.countRows(`${packedUsage} and start < now() - interval '37 days'`)).toBe(0);
    expect(await readAll([...paths, hours])).toEqual(before);
  });

  it('should include usage of an hour that is written after the hour was packed or deleted', async () => {
    const day = daysAgo(50);
    const path = `/usage?from=${day}T00:00:00Z&to=${daysAgo(49)}T00:00:00Z&groupBy=apiKey&interval=none`;
    await usage.recordDay(day);
    await runRetention(service);
    await usage.recordDay(day);
    const before = await usage.get(path);
    await runRetention(service);
    expect(await usage.get(path)).toEqual(before);
    expect(before).toMatchObject({ groups: [{ totals: { requests: 40 } }, { totals: { requests: 24 } }] });
    expect(await usage.countRows('usage')).toBe(0);
  });

  it('should leave out keys that were only used at other times of the same year, month or day', async () => {
    await usage.recordDay(daysAgo(3), usage.member, [usage.key]);
    await usage.recordDay(daysAgo(2), usage.member, [usage.busyKey]);
    await recordUsageAt(service, `${daysAgo(2)}T23:00:00Z`, [
      { organizationId: usage.member.organizationId, apiKeyId: usage.key.id },
    ]);
    await runRetention(service);
    for (const hour of ['00', '23']) {
      const period = `from=${daysAgo(2)}T00:00:00Z&to=${daysAgo(2)}T${hour}:30:00Z`;
      const { groups } = (await usage.get(`/usage?${period}&interval=none&groupBy=apiKey`)) as UsageReportDto;
      expect(groups.map(({ apiKey }) => apiKey?.id)).toEqual(
        hour === '00' ? [usage.busyKey.id] : [usage.busyKey.id, usage.key.id],
      );
    }
  });

  it('should not move the current hour, nor an hour that is being written', async () => {
    await recordUsageAt(service, `${daysAgo(2)}T09:00:00Z`, [
      { organizationId: usage.member.organizationId, apiKeyId: usage.busyKey.id },
    ]);
    await recordUsage(service, [{ organizationId: usage.member.organizationId, apiKeyId: usage.key.id }]);
    await recordUsage(service, [{ organizationId: usage.member.organizationId, apiKeyId: usage.key.id }]);
    const writer = service.app.get(DataSource).createQueryRunner();
    await writer.startTransaction();
    await writer.query('update usage set requests = requests + 1 where organization_id = $1 and api_key_id = $2', [
      usage.member.organizationId,
      usage.busyKey.id,
    ]);
    await runRetention(service);
    expect(await usage.countRows(packedUsage)).toBe(0);
    await writer.commitTransaction();
    await writer.release();
    await runRetention(service);
    const report = await usage.get('/usage?from=' + daysAgo(3) + 'T00:00:00Z&interval=none&groupBy=apiKey');
    expect(report).toMatchObject({ groups: [{ totals: { requests: 2 } }, { totals: { requests: 2 } }] });
    expect(await usage.countRows('usage')).toBe(1);
  });

  it('should reject hours that are no longer kept, and say how to read them', async () => {
    const response = await call(
      service.url,
      `GET /usage?from=${daysAgo(36)}T00:00:00Z&to=${daysAgo(35)}T00:00:00Z&interval=hour`,
      {
        token: usage.member.token,
      },
    );
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ field: 'from', message: expect.stringContaining('Use interval=day') as string }],
    });
  });

  it('should count a UTC day without hours for the same date in other time zones', async () => {
    const day = daysAgo(50);
    await usage.recordDay(day);
    await runRetention(service);
    for (const timeZone of ['America/Los_Angeles', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Auckland']) {
      const query = `from=${daysAgo(52)}T00:00:00Z&to=${daysAgo(48)}T00:00:00Z&interval=day&timeZone=${timeZone}`;
      const used = (await usage.pointsOf(query)).filter(({ requests }) => requests > 0);
      const dateOf = (start: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(start));
      expect(used.map(({ start, requests }) => [dateOf(start), requests])).toEqual([[day, 32]]);
    }
  });
});

describe('Totals of a period without hours', () => {
  const total = async (from: string, to: string) => {
    const { groups, ...report } = (await usage.get(`/usage?from=${from}&to=${to}&interval=none`)) as UsageReportDto;
    return [report.from.slice(0, 16), report.to.slice(0, 16), groups[0]?.totals.requests];
  };

  it('should count whole UTC days, and return which', async () => {
    await usage.recordDay(daysAgo(50));
    await runRetention(service);
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
    const response = await call(service.url, `GET /usage?${query}`, { token: usage.member.token });
    expect(response.status).toBe(400);
    const { hourlyFrom } = (await usage.get('/usage')) as UsageReportDto;
    expect(hourlyFrom).toBe(`${daysAgo(35)}T00:00:00.000Z`);
    expect(response.body).toMatchObject({
      errors: [{ field: 'from', message: expect.stringContaining(hourlyFrom) as string }],
    });
  });
});
