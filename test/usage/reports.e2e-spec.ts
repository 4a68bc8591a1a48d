import { randomUUID } from 'node:crypto';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { january, KeyUsage, nothing, reportOf, requestsOf } from './key-usage.js';

const service = useTestApp();
let usage: KeyUsage;

beforeEach(async () => {
  usage = await KeyUsage.create(service);
});

/** Days whose usage is kept by hour. */
const [recentDay, nextDay] = [10, 9].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));

describe('GET /usage', () => {
  it('should return the last 24 hours by day in one group by default', async () => {
    await usage.record([
      usage.fact({ inputTokens: 7, pages: 1, milliseconds: 10 }),
      usage.fact({ inputTokens: 5, pages: 2, milliseconds: 20, outcome: 'failure' }),
    ]);
    const response = await usage.get();
    expect(response.status).toBe(200);
    const { from, to, interval, groupBy, groups } = reportOf(response);
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
      medianMilliseconds: 11.314,
      p95Milliseconds: 22.627,
      p99Milliseconds: 22.627,
      firstTokenMilliseconds: null,
      cost: null,
      unpricedRequests: 2,
    });
    expect(requestsOf(groups[0]?.points).reduce((sum, requests) => sum + requests)).toBe(2);
  });

  it('should return zeros and no durations without usage', async () => {
    expect(await usage.report(january)).toEqual({
      from: '2026-01-30T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      hourlyFrom: expect.stringMatching(/T00:00:00.000Z$/) as string,
      keptFrom: expect.stringMatching(/T00:00:00.000Z$/) as string,
      interval: 'day',
      timeZone: 'UTC',
      groupBy: 'none',
      currency: 'USD',
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
    expect((await usage.report(`${january}&groupBy=apiKey`)).groups).toEqual([]);
  });

  it('should sum by UTC hour and day, without gaps', async () => {
    await usage.recordAt(`${recentDay}T09:59:59Z`, usage.facts(1));
    await usage.recordAt(`${recentDay}T12:00:00Z`, usage.facts(2));
    const byHour = await usage.get(`?from=${recentDay}T09:00:00Z&to=${recentDay}T13:00:00Z&interval=hour`);
    const [hours] = reportOf(byHour).groups;
    expect(requestsOf(hours?.points)).toEqual([1, 0, 0, 2]);
    expect(hours?.totals.requests).toBe(3);
    await usage.recordAt('2026-01-30T09:59:59Z', usage.facts(1));
    await usage.recordAt('2026-01-30T12:00:00Z', usage.facts(2));
    await usage.recordAt('2026-01-31T23:00:00Z', usage.facts(3));
    const [days] = (await usage.report('from=2026-01-29T00:00:00Z&to=2026-02-02T00:00:00Z&interval=day')).groups;
    expect(requestsOf(days?.points)).toEqual([0, 3, 3, 0]);
    const [all] = (await usage.report(`${january}&interval=none`)).groups;
    expect(all?.totals.requests).toBe(6);
    expect(all?.points).toEqual([]);
  });

  it.each([
    [
      'hour',
      `${recentDay}T10:20:00Z`,
      `${recentDay}T11:20:00Z`,
      `${recentDay}T10:00:00.000Z`,
      `${recentDay}T12:00:00.000Z`,
      3,
    ],
    [
      'none',
      `${recentDay}T10:20:00Z`,
      `${recentDay}T11:20:00Z`,
      `${recentDay}T10:00:00.000Z`,
      `${recentDay}T12:00:00.000Z`,
      3,
    ],
    [
      'day',
      `${recentDay}T10:20:00Z`,
      `${recentDay}T11:20:00Z`,
      `${recentDay}T00:00:00.000Z`,
      `${nextDay}T00:00:00.000Z`,
      4,
    ],
    [
      'hour',
      `${recentDay}T13:00:00%2B02:00`,
      `${recentDay}T12:00Z`,
      `${recentDay}T11:00:00.000Z`,
      `${recentDay}T12:00:00.000Z`,
      2,
    ],
  ])('should widen a period to whole intervals: %s, %s to %s', async (interval, from, to, first, end, requests) => {
    await usage.recordAt(`${recentDay}T10:00:00Z`, usage.facts(1));
    await usage.recordAt(`${recentDay}T11:00:00Z`, usage.facts(2));
    await usage.recordAt(`${recentDay}T12:00:00Z`, usage.facts(1));
    const report = await usage.report(`interval=${interval}&from=${from}&to=${to}`);
    expect(report).toMatchObject({ from: first, to: end, groups: [{ totals: { requests } }] });
  });

  it('should limit the usage to a key, a model, or both', async () => {
    const other = await createApiKey(service, usage.member, 'Invoices');
    await usage.record([
      ...usage.facts(1, { model: 'small' }),
      ...usage.facts(2, { model: 'large' }),
      ...usage.facts(4, { apiKeyId: other.id, model: 'large' }),
    ]);
    const requests = async (query: string) => (await usage.report(`interval=none&${query}`)).groups[0]?.totals.requests;
    expect(await requests(`apiKeyId=${usage.key.id}`)).toBe(3);
    expect(await requests('model=large')).toBe(6);
    expect(await requests(`apiKeyId=${usage.key.id}&model=large`)).toBe(2);
    expect(await requests(`apiKeyId=${randomUUID()}`)).toBe(0);
    expect(await requests('model=unknown')).toBe(0);
  });

  it('should sum by day in a time zone, across clock changes', async () => {
    await usage.recordAt('2026-03-28T22:59:59Z', usage.facts(1));
    await usage.recordAt('2026-03-28T23:00:00Z', usage.facts(2));
    await usage.recordAt('2026-03-29T21:59:59Z', usage.facts(3));
    await usage.recordAt('2026-03-29T22:00:00Z', usage.facts(4));
    const period = 'from=2026-03-28T12:00:00Z&to=2026-03-30T12:00:00Z';
    const report = await usage.report(`${period}&timeZone=Europe/Berlin`);
    expect(report).toMatchObject({
      from: '2026-03-27T23:00:00.000Z',
      to: '2026-03-30T22:00:00.000Z',
      timeZone: 'Europe/Berlin',
    });
    expect(report.groups[0]?.points.map(({ start, requests }) => [start, requests])).toEqual([
      ['2026-03-27T23:00:00.000Z', 1],
      ['2026-03-28T23:00:00.000Z', 5],
      ['2026-03-29T22:00:00.000Z', 4],
    ]);
  });

  it('should count an hour that contains midnight for the day it begins on', async () => {
    await usage.recordAt('2026-01-30T18:00:00Z', usage.facts(1));
    await usage.recordAt('2026-01-30T19:00:00Z', usage.facts(2));
    const requests = async (from: string, to: string) =>
      (await usage.report(`timeZone=Asia/Kolkata&from=${from}&to=${to}`)).groups[0]?.totals.requests;
    expect(await requests('2026-01-29T18:30:00Z', '2026-01-30T18:30:00Z')).toBe(1);
    expect(await requests('2026-01-30T18:30:00Z', '2026-01-31T18:30:00Z')).toBe(2);
  });

  it("should never return other organizations' usage", async () => {
    const stranger = await createMember(service);
    await usage.record(usage.facts(3));
    for (const query of ['', `?apiKeyId=${usage.key.id}`, '?model=some-model']) {
      expect(reportOf(await usage.get(query, stranger.token)).groups).toMatchObject([{ totals: nothing }]);
    }
    for (const groupBy of ['apiKey', 'model']) {
      const response = await usage.get(`?groupBy=${groupBy}&apiKeyId=${usage.key.id}`, stranger.token);
      expect(reportOf(response).groups).toEqual([]);
    }
  });

  it('should return percentiles rounded up by at most 19%, per interval and overall', async () => {
    const durations = (count: number, from: number) =>
      Array.from({ length: count }, (_, index) => usage.fact({ milliseconds: from + index }));
    await usage.recordAt('2026-01-30T10:00:00Z', durations(1000, 1));
    await usage.recordAt('2026-01-31T10:00:00Z', durations(100, 5001));
    const [group] = (await usage.report(january)).groups;
    const isNear = (actual: number | null | undefined, expected: number) =>
      expect(Math.floor(Math.log((actual ?? 0) / expected) / Math.log(1.19))).toBe(0);
    isNear(group?.points[0]?.p95Milliseconds, 950);
    isNear(group?.points[1]?.p95Milliseconds, 5095);
    isNear(group?.totals.p95Milliseconds, 5045);
    isNear(group?.points[0]?.medianMilliseconds, 500);
    isNear(group?.totals.medianMilliseconds, 550);
    isNear(group?.points[0]?.p99Milliseconds, 990);
    isNear(group?.totals.p99Milliseconds, 5089);
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
  ])('should return 400 naming the number of points for %s', async (_title, field, query, number) => {
    const response = await usage.get(`?${query}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [{ field, message: expect.stringMatching(new RegExp(`${number}.* at most 1000 `)) as string }],
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
    ['timeZone', 'timeZone='],
    ['timeZone', 'timeZone=Europe/Atlantis'],
    ['timeZone', "timeZone=UTC'--"],
    ['timeZone', 'timeZone=UTC&timeZone=UTC'],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=five'],
    ['format', 'format=xlsx'],
    ['groupBy', 'groupBy=key'],
    ['groupBy', 'groupBy=toString'],
    ['groupBy', 'groupBy=model&groupBy=apiKey'],
    ['apiKeyId', 'apiKeyId=no-uuid'],
    ['apiKeyId', 'apiKeyId=01936f5e-7b1c-7cc3-98c4-dc0c0c07398f&apiKeyId=no-uuid'],
    ['creatorId', 'creatorId=ada'],
    ['tag', 'tag=a&tag=b%2Cc'],
    ['tag', 'tag='],
    ['model', 'model=small&model='],
    ['model', Array.from({ length: 101 }, (_, index) => `model=${index}`).join('&')],
    ['orderBy', 'orderBy=meanMilliseconds'],
    ['order', 'order=up'],
    ['apiKeyId', "apiKeyId=01936f5e-7b1c-7cc3-98c4-dc0c0c07398f'--"],
    ['model', 'model='],
    ['model', 'model=%00'],
    ['model', `model=${'xy'.repeat(101)}`],
    ['model[0]', 'model[0]=small'],
    ['perPage', 'perPage=10'],
    ['page', 'page=0'],
  ])('should return 400 naming %s for %s', async (field, query) => {
    const response = await usage.get(`?${query}`);
    expect(response.status).toBe(400);
    expect((response.body as { errors: { field: string }[] }).errors.map((error) => error.field)).toContain(field);
  });

  it('should return 401 without a token and for an API key, and 403 without the permission', async () => {
    expect((await call(service.url, 'GET /usage')).status).toBe(401);
    expect((await usage.get('', usage.key.key)).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['get-api-keys'] });
    const response = await usage.get('', token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('get-usage') as string });
  });
});

describe('GET /api-keys', () => {
  it('should return the last use of a key, and omit it for an unused one', async () => {
    const unused = await createApiKey(service, usage.member, 'Unused');
    const before = Date.now();
    await usage.record(usage.facts(1));
    const response = await call(service.url, 'GET /api-keys', { token: usage.member.token });
    const { apiKeys } = response.body as { apiKeys: { id: string; updatedAt: string; createdAt: string }[] };
    expect(apiKeys.find(({ id }) => id === unused.id)).not.toHaveProperty('lastUsedAt');
    const used = apiKeys.find(({ id }) => id === usage.key.id) as {
      lastUsedAt?: string;
      updatedAt: string;
      createdAt: string;
    };
    // Compares two clocks.
    expect(Math.abs(Date.parse(used.lastUsedAt ?? '') - before)).toBeLessThan(10_000);
    expect(used.updatedAt).toBe(used.createdAt);
  });

  it.each([
    ['lists models', 'GET /v1/models', 200],
    ["doesn't count as usage", 'POST /v1/embeddings', 404],
  ])('should return a last use that %s', async (_, route, status) => {
    const key = await createApiKey(service, usage.member, 'Prober');
    const body = route.startsWith('POST') ? { model: 'unknown', input: 'Hello' } : undefined;
    expect((await call(service.url, route, { headers: { 'x-api-key': key.key }, body })).status).toBe(status);
    await waitFor(async () => (await lastUseOf(key.id))?.lastUsedAt !== undefined);
    expect(await lastUseOf(key.id)).toMatchObject({ lastUsedAddress: '127.0.0.1' });
  });

  it('should return a last use of a key with a limit on tokens that lists models', async () => {
    const { id, key } = await createApiKey(service, usage.member, 'Limited prober');
    const limits = [{ metric: 'tokens', per: 'minute', max: 100 }];
    await call(service.url, `PATCH /api-keys/${id}`, { token: usage.member.token, body: { limits } });
    expect((await call(service.url, 'GET /v1/models', { headers: { 'x-api-key': key } })).status).toBe(200);
    await waitFor(async () => (await lastUseOf(id))?.lastUsedAt !== undefined);
  });

  it('should not return rejected attempts with a disabled key as a use', async () => {
    const [disabled, used] = [
      await createApiKey(service, usage.member, 'Disabled'),
      await createApiKey(service, usage.member, 'Used'),
    ];
    await call(service.url, `PATCH /api-keys/${disabled.id}`, { token: usage.member.token, body: { enabled: false } });
    for (const [{ key }, status] of [
      [disabled, 403],
      [used, 200],
    ] as const) {
      expect((await call(service.url, 'GET /v1/models', { headers: { 'x-api-key': key } })).status).toBe(status);
    }
    await waitFor(async () => (await lastUseOf(used.id))?.lastUsedAt !== undefined);
    expect(await lastUseOf(disabled.id)).not.toHaveProperty('lastUsedAt');
  });
});

/** Returns what the API says about a key. */
async function lastUseOf(id: string): Promise<{ lastUsedAt?: string; lastUsedAddress?: string } | undefined> {
  const { body } = await call(service.url, `GET /api-keys/${id}`, { token: usage.member.token });
  return body as { lastUsedAt?: string } | undefined;
}
