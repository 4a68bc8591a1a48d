import { meters } from '../../src/common/rules/meters.js';
import { createApiKey } from '../factories/api-keys.js';
import { useTestApp } from '../setup/use-test-app.js';
import { january, KeyUsage } from './key-usage.js';
import { readCsv } from './read-csv.js';

const service = useTestApp();
let usage: KeyUsage;

beforeEach(async () => {
  usage = await KeyUsage.create(service);
});

describe('GET /usage/export', () => {
  const csv = async (query: string) => {
    const response = await usage.get(`/export?${january}&${query}`);
    expect(response.status).toBe(200);
    return { headers: response.headers, text: response.text, rows: readCsv(response.text) };
  };
  const withoutDurations = {
    medianMilliseconds: '',
    p95Milliseconds: '',
    p99Milliseconds: '',
    firstTokenMilliseconds: '',
  };
  const unused = Object.fromEntries(meters.map(({ name }) => [name, '0']));
  const noUsage = {
    ...{ requests: '0', failures: '0', limited: '0', unpricedRequests: '0', cost: '', currency: 'USD' },
    ...withoutDurations,
    ...unused,
  };

  it('should return a file with one line per point, with key names', async () => {
    await usage.recordAt('2026-01-31T10:00:00Z', usage.facts(3, { outcome: 'failure', pages: 2 }));
    const { headers, rows } = await csv('groupBy=apiKey');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="usage-\d{4}-\d\d-\d\d\.csv"$/);
    const key = { apiKeyId: usage.key.id, apiKeyName: 'Search indexer', apiKeyHint: usage.key.key.slice(0, 8) };
    expect(rows[0]).toEqual({ start: '2026-01-30T00:00:00.000Z', ...key, ...noUsage });
    const used = { requests: '3', failures: '3', inputTokens: '0', pages: '6', medianMilliseconds: '11.314' };
    expect(rows[1]).toMatchObject({ start: '2026-01-31T00:00:00.000Z', ...key, ...used });
    expect(rows).toHaveLength(2);
  });

  it('should end with the meters, so that a further one moves no other column', async () => {
    const [header = ''] = (await csv('')).text.split('\r\n');
    expect(header).toMatch(new RegExp(`,${meters.map(({ name }) => `"${name}"`).join(',')}$`));
  });

  it('should neutralize formulas in key names, and leave the name of `others` empty', async () => {
    const formula = await createApiKey(service, usage.member, '=SUM(A1)');
    await usage.recordAt('2026-01-30T10:00:00Z', [...usage.facts(1), ...usage.facts(2, { apiKeyId: formula.id })]);
    const { rows } = await csv('groupBy=apiKey&limit=1&interval=none');
    const start = '2026-01-30T00:00:00.000Z';
    const names = { apiKeyId: formula.id, apiKeyName: "'=SUM(A1)", apiKeyHint: formula.key.slice(0, 8) };
    expect(rows[0]).toMatchObject({ start, ...names, requests: '2', medianMilliseconds: '11.314' });
    expect(rows[1]).toMatchObject({ start, apiKeyId: '', apiKeyName: '', apiKeyHint: '', requests: '1' });
  });

  it('should leave durations empty without usage', async () => {
    expect((await csv('')).rows).toEqual([
      { start: '2026-01-30T00:00:00.000Z', ...noUsage },
      { start: '2026-01-31T00:00:00.000Z', ...noUsage },
    ]);
  });

  it('should name the models', async () => {
    await usage.recordAt('2026-01-31T10:00:00Z', usage.facts(1, { model: 'small' }));
    const { rows } = await csv('groupBy=model');
    expect(rows[1]).toMatchObject({ start: '2026-01-31T00:00:00.000Z', model: 'small', requests: '1' });
  });
});
