import { randomUUID } from 'node:crypto';
import type { UsageReportDto, UsageTotalsDto } from '../src/usage/dto/usage-report.dto.js';
import { type CreatedKey, createApiKey } from './factories/api-keys.js';
import { createMember, type Member } from './factories/organizations.js';
import { recordUsage, recordUsageAt, type SomeFact } from './factories/usage.js';
import { type Answer, call } from './setup/call.js';
import { startTestApp, type TestApp } from './setup/test-app.js';

let service: TestApp;
let member: Member;
let key: CreatedKey;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());
beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member, 'Search indexer');
});

const get = (query = '', token = member.token) => call(service.url, `GET /usage${query}`, { token });
const reportOf = (answer: Answer) => answer.body as UsageReportDto;
const fact = (fields: Partial<SomeFact> = {}): SomeFact => ({
  organizationId: member.organizationId,
  apiKeyId: key.id,
  ...fields,
});
const facts = (count: number, fields: Partial<SomeFact> = {}) => Array.from({ length: count }, () => fact(fields));
const requestsOf = (points: { requests: number }[] = []) => points.map(({ requests }) => requests);
const nothing: UsageTotalsDto = {
  requests: 0,
  failures: 0,
  inputTokens: 0,
  pages: 0,
  meanMilliseconds: null,
  p95Milliseconds: null,
};
const january = 'from=2026-01-30T00:00:00Z&to=2026-02-01T00:00:00Z';

describe('GET /usage', () => {
  it('should answer 200 with the last 24 hours by day, all in one group', async () => {
    await recordUsage(service, [
      fact({ inputTokens: 7, pages: 1, milliseconds: 10 }),
      fact({ inputTokens: 5, pages: 2, milliseconds: 20, isFailure: true }),
    ]);
    const answer = await get();
    expect(answer.status).toBe(200);
    const { from, to, interval, groupBy, groups } = reportOf(answer);
    expect({ interval, groupBy }).toEqual({ interval: 'day', groupBy: 'none' });
    expect(from).toMatch(/T00:00:00\.000Z$/);
    expect(to).toMatch(/T00:00:00\.000Z$/);
    expect(groups).toHaveLength(1);
    expect(Object.keys(groups[0] ?? {})).toEqual(['totals', 'points']);
    expect(groups[0]?.totals).toMatchObject({
      requests: 2,
      failures: 1,
      inputTokens: 12,
      pages: 3,
      meanMilliseconds: 15,
    });
    expect(requestsOf(groups[0]?.points).reduce((sum, requests) => sum + requests)).toBe(2);
  });

  it('should answer zeros, and no durations, where nothing was used', async () => {
    expect(reportOf(await get(`?${january}`))).toEqual({
      from: '2026-01-30T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      interval: 'day',
      groupBy: 'none',
      groups: [
        {
          totals: nothing,
          points: [
            { start: '2026-01-30T00:00:00.000Z', ...nothing },
            { start: '2026-01-31T00:00:00.000Z', ...nothing },
          ],
        },
      ],
    });
    expect(reportOf(await get(`?${january}&groupBy=apiKey`)).groups).toEqual([]);
  });

  it('should sum up by hour and by day of UTC, without gaps', async () => {
    await recordUsageAt(service, '2026-01-30T09:59:59Z', facts(1));
    await recordUsageAt(service, '2026-01-30T12:00:00Z', facts(2));
    await recordUsageAt(service, '2026-01-31T23:00:00Z', facts(3));
    const byHour = await get('?from=2026-01-30T09:00:00Z&to=2026-01-30T13:00:00Z&interval=hour');
    const [hours] = reportOf(byHour).groups;
    expect(requestsOf(hours?.points)).toEqual([1, 0, 0, 2]);
    expect(hours?.totals.requests).toBe(3);
    const [days] = reportOf(await get('?from=2026-01-29T00:00:00Z&to=2026-02-02T00:00:00Z&interval=day')).groups;
    expect(requestsOf(days?.points)).toEqual([0, 3, 3, 0]);
    const [all] = reportOf(await get(`?${january}&interval=none`)).groups;
    expect(all?.totals.requests).toBe(6);
    expect(all?.points).toEqual([]);
  });

  it.each([
    ['hour', '2026-01-30T10:20:00Z', '2026-01-30T11:20:00Z', '2026-01-30T10:00:00.000Z', '2026-01-30T12:00:00.000Z', 3],
    ['none', '2026-01-30T10:20:00Z', '2026-01-30T11:20:00Z', '2026-01-30T10:00:00.000Z', '2026-01-30T12:00:00.000Z', 3],
    ['day', '2026-01-30T10:20:00Z', '2026-01-30T11:20:00Z', '2026-01-30T00:00:00.000Z', '2026-01-31T00:00:00.000Z', 4],
    [
      'hour',
      '2026-01-30T13:00:00%2B02:00',
      '2026-01-30T12:00Z',
      '2026-01-30T11:00:00.000Z',
      '2026-01-30T12:00:00.000Z',
      2,
    ],
  ])('should widen a period to whole intervals: %s, %s to %s', async (interval, from, to, first, end, requests) => {
    await recordUsageAt(service, '2026-01-30T10:00:00Z', facts(1));
    await recordUsageAt(service, '2026-01-30T11:00:00Z', facts(2));
    await recordUsageAt(service, '2026-01-30T12:00:00Z', facts(1));
    const report = reportOf(await get(`?interval=${interval}&from=${from}&to=${to}`));
    expect(report).toMatchObject({ from: first, to: end, groups: [{ totals: { requests } }] });
  });

  it('should group by key, the busiest first, and show names and hints', async () => {
    const other = await createApiKey(service, member, 'Invoices');
    await recordUsageAt(service, '2026-01-30T10:00:00Z', [...facts(1), ...facts(2, { apiKeyId: other.id })]);
    const { groups } = reportOf(await get(`?${january}&groupBy=apiKey`));
    expect(groups).toMatchObject([
      {
        apiKey: { id: other.id, name: 'Invoices', hint: other.key.slice(0, 8), isDeleted: false },
        totals: { requests: 2 },
      },
      { apiKey: { id: key.id, name: 'Search indexer' }, totals: { requests: 1 } },
    ]);
    expect(groups.map(({ points }) => requestsOf(points))).toEqual([
      [2, 0],
      [1, 0],
    ]);
  });

  it('should group by model', async () => {
    await recordUsage(service, [...facts(1, { model: 'small' }), ...facts(2, { model: 'large' })]);
    const { groups } = reportOf(await get('?groupBy=model&interval=none'));
    expect(groups).toMatchObject([
      { model: 'large', totals: { requests: 2 } },
      { model: 'small', totals: { requests: 1 } },
    ]);
  });

  it('should limit the usage to a key, a model, or both', async () => {
    const other = await createApiKey(service, member, 'Invoices');
    await recordUsage(service, [
      ...facts(1, { model: 'small' }),
      ...facts(2, { model: 'large' }),
      ...facts(4, { apiKeyId: other.id, model: 'large' }),
    ]);
    const requests = async (query: string) => reportOf(await get(`?interval=none&${query}`)).groups[0]?.totals.requests;
    expect(await requests(`apiKeyId=${key.id}`)).toBe(3);
    expect(await requests('model=large')).toBe(6);
    expect(await requests(`apiKeyId=${key.id}&model=large`)).toBe(2);
    expect(await requests(`apiKeyId=${randomUUID()}`)).toBe(0);
    expect(await requests('model=unknown')).toBe(0);
  });

  it('should keep the usage of a deleted key, with its name and hint', async () => {
    await recordUsage(service, facts(2));
    await call(service.url, `DELETE /api-keys/${key.id}`, { token: member.token });
    await recordUsage(service, facts(1));
    const { groups } = reportOf(await get('?groupBy=apiKey&interval=none'));
    expect(groups).toMatchObject([
      {
        apiKey: { id: key.id, name: 'Search indexer', hint: key.key.slice(0, 8), isDeleted: true },
        totals: { requests: 3 },
      },
    ]);
  });

  it('should tell nothing of other organizations, whatever is asked for', async () => {
    const stranger = await createMember(service);
    await recordUsage(service, facts(3));
    for (const query of ['', `?apiKeyId=${key.id}`, '?model=some-model']) {
      expect(reportOf(await get(query, stranger.token)).groups).toMatchObject([{ totals: nothing }]);
    }
    for (const groupBy of ['apiKey', 'model']) {
      const answer = await get(`?groupBy=${groupBy}&apiKeyId=${key.id}`, stranger.token);
      expect(reportOf(answer).groups).toEqual([]);
    }
  });

  it('should tell the 95th percentile within 9.1 %, in each interval and over all', async () => {
    const durations = (count: number, from: number) =>
      Array.from({ length: count }, (_, index) => fact({ milliseconds: from + index }));
    await recordUsageAt(service, '2026-01-30T10:00:00Z', durations(1000, 1));
    await recordUsageAt(service, '2026-01-31T10:00:00Z', durations(100, 5001));
    const [group] = reportOf(await get(`?${january}`)).groups;
    const isNear = (actual: number | null | undefined, expected: number) =>
      expect(Math.abs((actual ?? 0) / expected - 1)).toBeLessThan(0.091);
    isNear(group?.points[0]?.p95Milliseconds, 950);
    isNear(group?.points[1]?.p95Milliseconds, 5095);
    isNear(group?.totals.p95Milliseconds, 5045);
    expect(group?.points[0]?.meanMilliseconds).toBe(500.5);
    expect(group?.totals.meanMilliseconds).toBeCloseTo((500_500 + 505_050) / 1100, 3);
  });

  it.each([
    ['1,001 hours', 'interval', 'from=2026-01-01T00:00:00Z&to=2026-02-11T17:00:00Z&interval=hour', '1001'],
    ['1,001 days', 'interval', 'from=2026-01-01T00:00:00Z&to=2028-09-28T00:00:00Z', '1001'],
    [
      'a thousand years of hours',
      'interval',
      'from=2000-01-01T00:00:00Z&to=2999-12-31T00:00:00Z&interval=hour',
      '8765',
    ],
  ])('should answer 400 that tells the number of points for %s', async (_title, field, query, number) => {
    const answer = await get(`?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      errors: [{ field, message: expect.stringMatching(new RegExp(`${number}.* at most 1000 `)) as string }],
    });
  });

  it('should count the points of all groups, up to 1,000', async () => {
    const keys = Array.from({ length: 500 }, () => fact({ apiKeyId: randomUUID() }));
    await recordUsageAt(service, '2026-01-30T10:00:00Z', keys);
    expect(reportOf(await get(`?${january}&groupBy=apiKey`)).groups).toHaveLength(500);
    await recordUsageAt(service, '2026-01-31T10:00:00Z', facts(1));
    const refused = await get(`?${january}&groupBy=apiKey`);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ errors: [{ message: expect.stringContaining('1002') as string }] });
    expect(reportOf(await get(`?${january}&groupBy=apiKey&interval=none`)).groups).toHaveLength(501);
  });

  it('should count groups beyond those that it would return', async () => {
    await recordUsage(
      service,
      Array.from({ length: 2500 }, () => fact({ apiKeyId: randomUUID() })),
    );
    const refused = await get(`?groupBy=apiKey&interval=none`);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      errors: [{ field: 'groupBy', message: expect.stringContaining('2500 groups') as string }],
    });
  });

  it.each([
    ['from', 'from=yesterday'],
    ['from', 'from=2026-02-30T00:00:00Z'],
    ['from', 'from=2026-01-01T00:00:00'],
    ['from', 'from=2026-01-01T00:00:00+02:00'],
    ['from', 'from='],
    ['from', 'from=2026-01-01T00:00:00Z&from=2026-01-02T00:00:00Z'],
    ['from', 'from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z'],
    ['from', 'from=2026-01-02T00:00:01Z&to=2026-01-02T00:00:00Z'],
    ['from', 'from=2900-01-01T00:00:00Z'],
    ['to', 'to=1999-01-01T00:00:00Z'],
    ['interval', 'interval=week'],
    ['interval', 'interval='],
    ['groupBy', 'groupBy=key'],
    ['groupBy', 'groupBy=toString'],
    ['groupBy', 'groupBy=model&groupBy=apiKey'],
    ['apiKeyId', 'apiKeyId=no-uuid'],
    ['apiKeyId', "apiKeyId=01936f5e-7b1c-7cc3-98c4-dc0c0c07398f'--"],
    ['model', 'model='],
    ['model', 'model=%00'],
    ['model', `model=${'xy'.repeat(101)}`],
    ['page', 'page=1'],
  ])('should answer 400 that names %s for %s', async (field, query) => {
    const answer = await get(`?${query}`);
    expect(answer.status).toBe(400);
    expect((answer.body as { errors: { field: string }[] }).errors.map((error) => error.field)).toContain(field);
  });

  it('should answer 401 without a token and to an API key, and 403 without the permission', async () => {
    expect((await call(service.url, 'GET /usage')).status).toBe(401);
    expect((await get('', key.key)).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['get-api-keys'] });
    const answer = await get('', token);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ detail: expect.stringContaining('get-usage') as string });
  });
});

describe('GET /api-keys', () => {
  it('should tell when a key was last used, and leave that out for one that never was', async () => {
    const unused = await createApiKey(service, member, 'Unused');
    const before = Date.now();
    await recordUsage(service, facts(1));
    const answer = await call(service.url, 'GET /api-keys', { token: member.token });
    const { apiKeys } = answer.body as { apiKeys: { id: string; updatedAt: string; createdAt: string }[] };
    expect(apiKeys.find(({ id }) => id === unused.id)).not.toHaveProperty('lastUsedAt');
    const used = apiKeys.find(({ id }) => id === key.id) as {
      lastUsedAt?: string;
      updatedAt: string;
      createdAt: string;
    };
    // Two clocks are compared.
    expect(Math.abs(Date.parse(used.lastUsedAt ?? '') - before)).toBeLessThan(10_000);
    expect(used.updatedAt).toBe(used.createdAt);
  });
});
