import { meters } from '@rules/meters.js';
import type { UsageGroup, UsageReport } from '../../../api/schema.js';
import { noUsage } from '../usage-totals.js';
import { reportFileName, toReportCsv } from './report-csv.js';

const start = new Date('2026-10-31T23:00:00Z');
const timeZone = 'Europe/Berlin';

function groupOf(name: string, cost: string | null): UsageGroup {
  const totals = { ...noUsage, requests: 3, outputTokens: 7, cost };
  const apiKey = { id: `id of ${name}`, name, hint: 'kc_aaaaa', isDeleted: false };
  return { apiKey, totals, points: [{ start: start.toISOString(), ...totals }] };
}

function pageOf(groups: UsageGroup[]): UsageReport {
  return {
    from: start.toISOString(),
    to: start.toISOString(),
    hourlyFrom: start.toISOString(),
    keptFrom: start.toISOString(),
    interval: 'day',
    timeZone,
    groupBy: 'apiKey',
    currency: 'EUR',
    groups,
    others: { groupCount: 1, totals: noUsage, points: [] },
  };
}

describe('toReportCsv', () => {
  const lines = toReportCsv(
    [pageOf([groupOf('Search', '0.000000001')]), pageOf([groupOf('Search', '0.5'), groupOf('=1+1', null)])],
    { interval: 'day', timeZone },
  ).split('\r\n');

  it('should have the labels of the page with their units, also of each meter, and no names of the API', () => {
    const [header = ''] = lines;
    const labels = header.slice(2, -1).split('","');
    expect(labels.slice(0, 9)).toEqual([
      ...['Day', 'Key ID', 'Key', 'Key (first characters)', 'Requests', 'Failed requests', 'Rejected by a limit'],
      ...['Requests without a price (not in cost)', 'Cost (EUR)'],
    ]);
    expect(labels.slice(-meters.length - 4)).toEqual([
      ...meters.map(({ title }) => title),
      ...['median', 'p95', 'p99'].map((name) => `Whole range: Latency, ${name} (ms)`),
      'Whole range: Time to first token (ms)',
    ]);
    expect(labels.filter((label) => !/^[A-Z]/.test(label))).toEqual([]);
    for (const line of lines.slice(1, -1)) expect(line.split('","')).toHaveLength(labels.length);
  });

  it('should start with a byte order mark, so that Excel reads it as UTF-8', () => {
    expect(lines[0]).toMatch(/^\ufeff"Day"/);
  });

  it('should have the times of the whole range, which those of days do not add up to', () => {
    const { points, ...group } = groupOf('Search', '0.5');
    const totals = { ...group.totals, medianMilliseconds: 12, p95Milliseconds: 34.5, p99Milliseconds: 56 };
    const [, line = ''] = toReportCsv([pageOf([{ ...group, totals, points }])], { interval: 'day', timeZone }).split(
      '\r\n',
    );
    expect(line).toMatch(/"12","34\.5","56",""$/);
  });

  it('should have the exact cost, and an empty cell without a price', () => {
    expect(lines[1]?.split('","')[8]).toBe('0.5');
    expect(lines[2]?.split('","')[8]).toBe('');
  });

  it('should have the groups of all pages, each once, and no others', () => {
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 3).join())).toEqual([
      '"2026-11-01","id of Search","Search"',
      '"2026-11-01","id of =1+1","\'=1+1"',
      '',
    ]);
  });
});

describe('toReportCsv of tags', () => {
  it('should name the keys without a tag as the page does', () => {
    const { totals, points } = groupOf('', '0.5');
    const report = {
      ...pageOf([
        { tag: 'team:mail', totals, points },
        { totals, points },
      ]),
      groupBy: 'tag' as const,
    };
    const tagsOf = (prefix?: string) =>
      toReportCsv([report], { interval: 'day', timeZone }, prefix)
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[1]);
    expect(tagsOf('team:')).toEqual(['"team:mail"', '"No team tag"']);
    expect(tagsOf()).toEqual(['"team:mail"', '"No tag"']);
  });

  it('should say that keys count for each tag, and deduct what several count, so that sums are those of the page', () => {
    const { totals, points } = groupOf('', '0.5');
    const tags = [
      { tag: 'a', totals, points },
      { tag: 'b', totals, points },
    ];
    const all = { report: { groups: [{ totals, points }] }, isRunning: false };
    const report = { ...pageOf(tags), groupBy: 'tag' as const };
    const rows = toReportCsv([report], { interval: 'day', timeZone }, 'team:', all).split('\r\n');
    const cells = rows.slice(0, -1).map((line) => line.replace('\ufeff', '').slice(1, -1).split('","'));
    expect(cells.map((row) => [row[1], row[2], row[6]])).toEqual([
      ['Tag (keys count for each of their tags)', 'Requests', 'Cost (EUR)'],
      ['a', '3', '0.5'],
      ['b', '3', '0.5'],
      ['Deduction for keys with several team tags', '-3', '-0.5'],
    ]);
  });
});

describe('toReportCsv of models and people', () => {
  it('should name those that are unknown as the page does', () => {
    const { totals, points } = groupOf('', '0.5');
    const namesOf = (groupBy: 'model' | 'creator', groups: UsageGroup[]) =>
      toReportCsv([{ ...pageOf(groups), groupBy }], { interval: 'day', timeZone })
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.slice(1, -1).split('","')[groupBy === 'model' ? 1 : 2]);
    expect(namesOf('model', [{ totals, points }])).toEqual(['Unknown (rejected by a limit)']);
    const former = { id: '1', name: 'Ada', kind: 'former-member' as const };
    const people = [
      { creator: former, totals, points },
      { totals, points },
    ];
    expect(namesOf('creator', people)).toEqual(['Ada (removed)', 'Unknown creator']);
  });
});

describe('toReportCsv of days without requests', () => {
  const costsOf = (cost: string | null, unpriced: number) => {
    const { points, ...group } = groupOf('Search', cost);
    const unused = { start: '2026-11-01T23:00:00.000Z', ...noUsage };
    const used = { ...unused, requests: unpriced, unpricedRequests: unpriced };
    return toReportCsv([pageOf([{ ...group, points: [...points, used] }])], { interval: 'day', timeZone })
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split('","')[8]);
  };

  it('should have no costs, and an empty cell only if the price is unknown', () => {
    expect(costsOf('0.5', 0)).toEqual(['0.5', '0']);
    expect(costsOf('0.5', 2)).toEqual(['0.5', '']);
    expect(costsOf(null, 0)).toEqual(['', '']);
  });
});

describe('reportFileName', () => {
  it('should have the grouping, the prefix of tags, the filters, and the first and last day', () => {
    const period = { from: start, to: new Date('2026-11-30T23:00:00Z'), timeZone };
    expect(reportFileName('model', period)).toBe('usage-by-model-2026-11-01-2026-11-30.csv');
    expect(reportFileName('tag', period, 'cost center:')).toBe('usage-by-tag-cost-center-2026-11-01-2026-11-30.csv');
    const filter = { apiKeyId: ['1'], creatorId: ['1', '2'], model: ['gpt-5.1'], tag: ['a', 'b'] };
    expect(reportFileName('none', period, '', filter)).toBe(
      'usage-1-key-2-people-model-gpt-5-1-2-tags-2026-11-01-2026-11-30.csv',
    );
    expect(reportFileName('none', { ...period, to: new Date('2026-11-01T12:00:00Z') })).toBe('usage-2026-11-01.csv');
  });
});
