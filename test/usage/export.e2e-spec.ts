import { createApiKey } from '../factories/api-keys.js';
import { useTestApp } from '../setup/use-test-app.js';
import { january, KeyUsage } from './key-usage.js';

const service = useTestApp();
let usage: KeyUsage;

beforeEach(async () => {
  usage = await KeyUsage.create(service);
});

describe('GET /usage/export', () => {
  const csv = async (query: string) => {
    const response = await usage.get(`/export?${january}&${query}`);
    expect(response.status).toBe(200);
    return { headers: response.headers, lines: response.text.split('\r\n') };
  };
  const totals =
    '"requests","failures","inputTokens","pages","medianMilliseconds","p95Milliseconds","p99Milliseconds","limited","cost","estimatedRequests","unpricedRequests"';

  it('should return a file with one line per point, with key names', async () => {
    await usage.recordAt('2026-01-31T10:00:00Z', usage.facts(3, { outcome: 'failure', pages: 2 }));
    const { headers, lines } = await csv('groupBy=apiKey');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="usage-\d{4}-\d\d-\d\d\.csv"$/);
    const name = `"${usage.key.id}","Search indexer","${usage.key.key.slice(0, 8)}"`;
    expect(lines).toEqual([
      `"start","apiKeyId","apiKeyName","apiKeyHint",${totals}`,
      `"2026-01-30T00:00:00.000Z",${name},"0","0","0","0","","","","0","","0","0"`,
      expect.stringMatching(`^"2026-01-31T00:00:00.000Z",${name},"3","3","0","6","11.314","`),
      '',
    ]);
  });

  it('should neutralize formulas in key names, and leave the name of `others` empty', async () => {
    const formula = await createApiKey(service, usage.member, '=SUM(A1)');
    await usage.recordAt('2026-01-30T10:00:00Z', [...usage.facts(1), ...usage.facts(2, { apiKeyId: formula.id })]);
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
      '"2026-01-30T00:00:00.000Z","0","0","0","0","","","","0","","0","0"',
      '"2026-01-31T00:00:00.000Z","0","0","0","0","","","","0","","0","0"',
      '',
    ]);
  });

  it('should name the models', async () => {
    await usage.recordAt('2026-01-31T10:00:00Z', usage.facts(1, { model: 'small' }));
    const { lines } = await csv('groupBy=model');
    expect(lines[0]).toBe(`"start","model",${totals}`);
    expect(lines[2]).toMatch('"2026-01-31T00:00:00.000Z","small","1"');
  });
});
