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

  it('should have a column for each meter, the exact cost and its currency', () => {
    const [header = '', ...rows] = lines;
    for (const { name } of meters) expect(header).toContain(`"${name}"`);
    expect(header).toContain('"unpricedRequests","cost","currency"');
    expect(rows[1]).toContain('"0","","EUR"');
  });

  it('should have the groups of all pages, each once, and no others', () => {
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 3).join())).toEqual([
      '"2026-11-01","id of Search","Search"',
      '"2026-11-01","id of =1+1","\'=1+1"',
      '',
    ]);
    expect(lines[1]).toContain('"0.5","EUR"');
  });
});

describe('reportFileName', () => {
  it('should have the grouping, and the first and last day', () => {
    const period = { from: start, to: new Date('2026-11-30T23:00:00Z'), timeZone };
    expect(reportFileName('model', period)).toBe('usage-by-model-2026-11-01-2026-11-30.csv');
    expect(reportFileName('none', { ...period, to: new Date('2026-11-01T12:00:00Z') })).toBe('usage-2026-11-01.csv');
  });
});
