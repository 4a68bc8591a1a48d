import { randomUUID } from 'node:crypto';
import type { UsageReportDto, UsageTotalsDto } from '../src/usage/dto/usage-report.dto.js';
import { type CreatedKey, createApiKey } from './factories/api-keys.js';
import { createMember, type Member } from './factories/organizations.js';
import { recordUsage, recordUsageAt, type SomeFact } from './factories/usage.js';
import { type CallResponse, call } from './setup/call.js';
import { useTestApp } from './setup/use-test-app.js';

const service = useTestApp();
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member, 'Search indexer');
});

const get = (query = '', token = member.token) => call(service.url, `GET /usage${query}`, { token });
const reportOf = (response: CallResponse) => response.body as UsageReportDto;
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
  limited: 0,
  inputTokens: 0,
  pages: 0,
  medianMilliseconds: null,
  p95Milliseconds: null,
  p99Milliseconds: null,
  cost: null,
};
/** Days whose usage is kept by hour. */
const [recentDay, nextDay] = [10, 9].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));
const january = 'from=2026-01-30T00:00:00Z&to=2026-02-01T00:00:00Z';

describe('GET /usage', () => {
  it('should return the last 24 hours by day in one group by default', async () => {
    await recordUsage(service, [
      fact({ inputTokens: 7, pages: 1, milliseconds: 10 }),
      fact({ inputTokens: 5, pages: 2, milliseconds: 20, outcome: 'failure' }),
    ]);
    const response = await get();
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
      cost: null,
    });
    expect(requestsOf(groups[0]?.points).reduce((sum, requests) => sum + requests)).toBe(2);
  });

  it('should return zeros and no durations without usage', async () => {
    expect(reportOf(await get(`?${january}`))).toEqual({
      from: '2026-01-30T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      hourlyFrom: expect.stringMatching(/T00:00:00.000Z$/) as string,
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
    expect(reportOf(await get(`?${january}&groupBy=apiKey`)).groups).toEqual([]);
  });

  it('should sum by UTC hour and day, without gaps', async () => {
    await recordUsageAt(service, `${recentDay}T09:59:59Z`, facts(1));
    await recordUsageAt(service, `${recentDay}T12:00:00Z`, facts(2));
    const byHour = await get(`?from=${recentDay}T09:00:00Z&to=${recentDay}T13:00:00Z&interval=hour`);
    const [hours] = reportOf(byHour).groups;
    expect(requestsOf(hours?.points)).toEqual([1, 0, 0, 2]);
    expect(hours?.totals.requests).toBe(3);
    await recordUsageAt(service, '2026-01-30T09:59:59Z', facts(1));
    await recordUsageAt(service, '2026-01-30T12:00:00Z', facts(2));
    await recordUsageAt(service, '2026-01-31T23:00:00Z', facts(3));
    const [days] = reportOf(await get('?from=2026-01-29T00:00:00Z&to=2026-02-02T00:00:00Z&interval=day')).groups;
    expect(requestsOf(days?.points)).toEqual([0, 3, 3, 0]);
    const [all] = reportOf(await get(`?${january}&interval=none`)).groups;
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
    await recordUsageAt(service, `${recentDay}T10:00:00Z`, facts(1));
    await recordUsageAt(service, `${recentDay}T11:00:00Z`, facts(2));
    await recordUsageAt(service, `${recentDay}T12:00:00Z`, facts(1));
    const report = reportOf(await get(`?interval=${interval}&from=${from}&to=${to}`));
    expect(report).toMatchObject({ from: first, to: end, groups: [{ totals: { requests } }] });
  });

  it('should group by key, busiest first, with names and hints', async () => {
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

  it('should sum by day in a time zone, across clock changes', async () => {
    await recordUsageAt(service, '2026-03-28T22:59:59Z', facts(1));
    await recordUsageAt(service, '2026-03-28T23:00:00Z', facts(2));
    await recordUsageAt(service, '2026-03-29T21:59:59Z', facts(3));
    await recordUsageAt(service, '2026-03-29T22:00:00Z', facts(4));
    const period = 'from=2026-03-28T12:00:00Z&to=2026-03-30T12:00:00Z';
    const report = reportOf(await get(`?${period}&timeZone=Europe/Berlin`));
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
    await recordUsageAt(service, '2026-01-30T18:00:00Z', facts(1));
    await recordUsageAt(service, '2026-01-30T19:00:00Z', facts(2));
    const requests = async (from: string, to: string) =>
      reportOf(await get(`?timeZone=Asia/Kolkata&from=${from}&to=${to}`)).groups[0]?.totals.requests;
    expect(await requests('2026-01-29T18:30:00Z', '2026-01-30T18:30:00Z')).toBe(1);
    expect(await requests('2026-01-30T18:30:00Z', '2026-01-31T18:30:00Z')).toBe(2);
  });

  it('should sum the groups beyond the limit, with a combined percentile', async () => {
    const idle = await createApiKey(service, member, 'Idle');
    const slow = await createApiKey(service, member, 'Slow');
    await recordUsageAt(service, '2026-01-30T10:00:00Z', [
      ...facts(30),
      ...facts(19, { apiKeyId: idle.id, milliseconds: 10, inputTokens: 2 }),
    ]);
    await recordUsageAt(service, '2026-01-31T10:00:00Z', facts(2, { apiKeyId: slow.id, milliseconds: 1000 }));
    const { groups, others } = reportOf(await get(`?${january}&groupBy=apiKey&limit=1`));
    expect(groups).toMatchObject([{ apiKey: { name: 'Search indexer' }, totals: { requests: 30 } }]);
    expect(others).toMatchObject({ groupCount: 2, totals: { requests: 21, inputTokens: 38 } });
    expect(requestsOf(others?.points)).toEqual([19, 2]);
    // The 20th of 21 requests decides.
    expect(others?.totals.p95Milliseconds).toBeGreaterThan(900);
    expect(others?.points[0]?.p95Milliseconds).toBeLessThan(12);
  });

  it('should return the groups of a page, and sum up those on other pages', async () => {
    await recordUsage(
      service,
      ['a', 'b', 'c', 'd', 'e'].flatMap((model, index) => facts(5 - index, { model })),
    );
    const readPage = async (page: number) => {
      const { groups, others } = reportOf(await get(`?groupBy=model&interval=none&limit=2&page=${page}`));
      return [groups.map(({ model }) => model), others?.groupCount, others?.totals.requests];
    };
    expect(await readPage(1)).toEqual([['a', 'b'], 3, 6]);
    expect(await readPage(2)).toEqual([['c', 'd'], 3, 10]);
    expect(await readPage(3)).toEqual([['e'], 4, 14]);
    expect(await readPage(4)).toEqual([[], 5, 15]);
  });

  it('should have no `others` if all groups are within the limit', async () => {
    await recordUsage(service, [...facts(1, { model: 'small' }), ...facts(2, { model: 'large' })]);
    for (const query of ['groupBy=model&limit=2', 'groupBy=model', 'limit=1']) {
      expect(reportOf(await get(`?${query}`))).not.toHaveProperty('others');
    }
  });

  it('should count only points within the limit', async () => {
    await recordUsageAt(
      service,
      '2026-01-30T10:00:00Z',
      Array.from({ length: 600 }, () => fact({ apiKeyId: randomUUID() })),
    );
    const response = await get(`?${january}&groupBy=apiKey&limit=100`);
    expect(response.status).toBe(200);
    expect(reportOf(response)).toMatchObject({ others: { groupCount: 500, totals: { requests: 500 } } });
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

  it("should never return other organizations' usage", async () => {
    const stranger = await createMember(service);
    await recordUsage(service, facts(3));
    for (const query of ['', `?apiKeyId=${key.id}`, '?model=some-model']) {
      expect(reportOf(await get(query, stranger.token)).groups).toMatchObject([{ totals: nothing }]);
    }
    for (const groupBy of ['apiKey', 'model']) {
      const response = await get(`?groupBy=${groupBy}&apiKeyId=${key.id}`, stranger.token);
      expect(reportOf(response).groups).toEqual([]);
    }
  });

  it('should return percentiles rounded up by at most 19 %, per interval and overall', async () => {
    const durations = (count: number, from: number) =>
      Array.from({ length: count }, (_, index) => fact({ milliseconds: from + index }));
    await recordUsageAt(service, '2026-01-30T10:00:00Z', durations(1000, 1));
    await recordUsageAt(service, '2026-01-31T10:00:00Z', durations(100, 5001));
    const [group] = reportOf(await get(`?${january}`)).groups;
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
    const response = await get(`?${query}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
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

  it('should also count groups beyond the returned ones', async () => {
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
    ['apiKeyId', "apiKeyId=01936f5e-7b1c-7cc3-98c4-dc0c0c07398f'--"],
    ['model', 'model='],
    ['model', 'model=%00'],
    ['model', `model=${'xy'.repeat(101)}`],
    ['perPage', 'perPage=10'],
    ['page', 'page=0'],
  ])('should return 400 naming %s for %s', async (field, query) => {
    const response = await get(`?${query}`);
    expect(response.status).toBe(400);
    expect((response.body as { errors: { field: string }[] }).errors.map((error) => error.field)).toContain(field);
  });

  it('should return 401 without a token and for an API key, and 403 without the permission', async () => {
    expect((await call(service.url, 'GET /usage')).status).toBe(401);
    expect((await get('', key.key)).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['get-api-keys'] });
    const response = await get('', token);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ detail: expect.stringContaining('get-usage') as string });
  });
});

describe('Requests rejected by a limit', () => {
  /** Records them like the service: without a model, and with no other count. */
  const recordLimited = (hour: string, limited: number, apiKeyId = key.id) =>
    service.query(
      `insert into usage (
         organization_id, hour, api_key_id, model, latency_bucket, requests, failures, limited, input_tokens, pages,
         microseconds
       ) values ($1, $2, $3, '', 0, 0, 0, $4, 0, 0, 0)`,
      [member.organizationId, hour, apiKeyId, limited],
    );
  const groupsOf = async (query: string) => reportOf(await get(`?${january}&${query}`)).groups;

  it('should be counted in totals and points, without a duration', async () => {
    await recordLimited('2026-01-31T09:00:00Z', 3);
    await recordLimited('2026-01-31T10:00:00Z', 4);
    const [group] = await groupsOf('groupBy=apiKey');
    expect(group?.totals).toEqual({ ...nothing, limited: 7 });
    expect(group?.points).toMatchObject([nothing, { ...nothing, limited: 7 }]);
  });

  it('should not change the durations and the other counts', async () => {
    await recordUsageAt(service, '2026-01-31T10:00:00Z', facts(20, { milliseconds: 100, inputTokens: 3 }));
    const [before] = await groupsOf('groupBy=none');
    await recordLimited('2026-01-31T10:00:00Z', 1000);
    const [after] = await groupsOf('groupBy=none');
    expect(after?.totals).toEqual({ ...before?.totals, limited: 1000 });
  });

  it('should be a group without a model, after those with requests', async () => {
    await recordUsageAt(service, '2026-01-31T10:00:00Z', facts(1, { model: 'small' }));
    await recordLimited('2026-01-31T10:00:00Z', 5);
    const groups = await groupsOf('groupBy=model&interval=none');
    expect(groups.map((group) => [group.model, group.totals.requests, group.totals.limited])).toEqual([
      ['small', 1, 0],
      [undefined, 0, 5],
    ]);
    expect(groups[1]).not.toHaveProperty('model');
    expect(await groupsOf('model=small')).toMatchObject([{ totals: { limited: 0 } }]);
  });

  it('should be part of `others` and of the file', async () => {
    const other = await createApiKey(service, member, 'Other');
    await recordUsageAt(service, '2026-01-31T10:00:00Z', facts(1));
    await recordLimited('2026-01-31T10:00:00Z', 5, other.id);
    const query = `?${january}&groupBy=apiKey&interval=none&limit=1`;
    const { groups, others } = reportOf(await get(query));
    expect(groups).toMatchObject([{ apiKey: { id: key.id }, totals: { limited: 0 } }]);
    expect(others).toMatchObject({ groupCount: 1, totals: { ...nothing, limited: 5 } });
    const { text } = await get(`/export${query}`);
    expect(text.split('\r\n')[2]).toBe('"2026-01-30T00:00:00.000Z","","","","0","0","0","0","","","","5",""');
  });
});

describe('GET /usage/export', () => {
  const csv = async (query: string) => {
    const response = await get(`/export?${january}&${query}`);
    expect(response.status).toBe(200);
    return { headers: response.headers, lines: response.text.split('\r\n') };
  };
  const totals =
    '"requests","failures","inputTokens","pages","medianMilliseconds","p95Milliseconds","p99Milliseconds","limited","cost"';

  it('should return a file with one line per point, with key names', async () => {
    await recordUsageAt(service, '2026-01-31T10:00:00Z', facts(3, { outcome: 'failure', pages: 2 }));
    const { headers, lines } = await csv('groupBy=apiKey');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="usage-\d{4}-\d\d-\d\d\.csv"$/);
    const name = `"${key.id}","Search indexer","${key.key.slice(0, 8)}"`;
    expect(lines).toEqual([
      `"start","apiKeyId","apiKeyName","apiKeyHint",${totals}`,
      `"2026-01-30T00:00:00.000Z",${name},"0","0","0","0","","","","0",""`,
      expect.stringMatching(`^"2026-01-31T00:00:00.000Z",${name},"3","3","0","6","11.314","`),
      '',
    ]);
  });

  it('should be the same file as the former URL, /usage?format=csv', async () => {
    await recordUsageAt(service, '2026-01-31T10:00:00Z', facts(1));
    const headers = { authorization: `Bearer ${member.token}` };
    const response = await fetch(`${service.url}/usage?${january}&groupBy=model&format=csv`, { headers });
    expect((await response.text()).split('\r\n')).toEqual((await csv('groupBy=model')).lines);
  });

  it('should neutralize formulas in key names, and leave the name of `others` empty', async () => {
    const formula = await createApiKey(service, member, '=SUM(A1)');
    await recordUsageAt(service, '2026-01-30T10:00:00Z', [...facts(1), ...facts(2, { apiKeyId: formula.id })]);
    const { lines } = await csv('groupBy=apiKey&limit=1&interval=none');
    const from = '"2026-01-30T00:00:00.000Z"';
    expect(lines[1]).toMatch(
      `${from},"${formula.id}","'=SUM(A1)","${formula.key.slice(0, 8)}","2","0","0","0","11.314"`,
    );
    expect(lines[2]).toMatch(`${from},"","","","1","0","0","0","11.314"`);
  });

  it('should leave durations empty without usage', async () => {
    expect((await csv('')).lines).toEqual([
      `"start",${totals}`,
      '"2026-01-30T00:00:00.000Z","0","0","0","0","","","","0",""',
      '"2026-01-31T00:00:00.000Z","0","0","0","0","","","","0",""',
      '',
    ]);
  });

  it('should name the models', async () => {
    await recordUsageAt(service, '2026-01-31T10:00:00Z', facts(1, { model: 'small' }));
    const { lines } = await csv('groupBy=model');
    expect(lines[0]).toBe(`"start","model",${totals}`);
    expect(lines[2]).toMatch('"2026-01-31T00:00:00.000Z","small","1"');
  });
});

describe('GET /api-keys', () => {
  it('should return the last use of a key, and omit it for an unused one', async () => {
    const unused = await createApiKey(service, member, 'Unused');
    const before = Date.now();
    await recordUsage(service, facts(1));
    const response = await call(service.url, 'GET /api-keys', { token: member.token });
    const { apiKeys } = response.body as { apiKeys: { id: string; updatedAt: string; createdAt: string }[] };
    expect(apiKeys.find(({ id }) => id === unused.id)).not.toHaveProperty('lastUsedAt');
    const used = apiKeys.find(({ id }) => id === key.id) as {
      lastUsedAt?: string;
      updatedAt: string;
      createdAt: string;
    };
    // Compares two clocks.
    expect(Math.abs(Date.parse(used.lastUsedAt ?? '') - before)).toBeLessThan(10_000);
    expect(used.updatedAt).toBe(used.createdAt);
  });
});
