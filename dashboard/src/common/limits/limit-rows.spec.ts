import { maxLimits, metrics, periodsOf } from '@rules/limit-rules.js';
import type { Limit } from '../../api/schema.js';
import { changedLimits, type LimitRow, newRow, toRows, withMetric, withPeriod } from './limit-rows.js';

const rowOf = (limit: Limit): LimitRow => {
  const [row] = toRows([limit], 'USD');
  if (row === undefined) throw new Error('There is no row.');
  return row;
};
const perMinute = rowOf({ metric: 'requests', per: 'minute', max: 60 });
const perDay = rowOf({ metric: 'tokens', per: 'day', max: 1_000_000 });
const full: Limit = {
  metric: 'cost',
  per: 'month',
  max: '999999999.123456789',
  models: ['gpt-mini', 'small'],
  increase: { by: '0.000000001', until: '2026-12-01T00:00:30.500Z' },
  notifyAt: [50, 80, 100],
};

describe('newRow', () => {
  it('should offer each metric and period once, and then one that needs models of its own', () => {
    const rows: LimitRow[] = [];
    for (let row = newRow(rows); row !== undefined; row = newRow(rows)) rows.push(row);
    const all = metrics.flatMap((metric) =>
      metric === 'concurrency' ? [metric] : periodsOf(metric).map((per) => `${metric}/${per}`),
    );
    const names = rows.map(({ metric, per }) => (per === undefined ? metric : `${metric}/${per}`));
    expect(names.slice(0, all.length).sort()).toEqual(all.sort());
    expect(names.slice(all.length)).toEqual(Array.from({ length: maxLimits - all.length }, () => 'requests/minute'));
    expect(rows[0]).toEqual({ ...perMinute, max: '' });
  });
});

describe('withMetric', () => {
  it('should keep the period if the metric has it, and otherwise choose a common one', () => {
    expect(withMetric(perMinute, 'pages')).toEqual({ ...perMinute, metric: 'pages' });
    expect(withMetric({ ...perMinute, per: 'second' }, 'tokens').per).toBe('minute');
    expect(withMetric(perMinute, 'cost').per).toBe('month');
    expect(withMetric(perMinute, 'concurrency').per).toBeUndefined();
    expect(withMetric(withMetric(perMinute, 'concurrency'), 'requests').per).toBe('minute');
  });

  it('should drop a count as an amount of money if a separator may have been typed as a decimal one', () => {
    expect(withMetric({ ...perMinute, max: 999 }, 'cost').max).toBe('999');
    expect(withMetric({ ...perMinute, max: 4550 }, 'cost').max).toBe('');
  });

  it('should keep amounts that are possible for both metrics', () => {
    expect(withMetric(perMinute, 'cost').max).toBe('60');
    expect(withMetric({ ...perMinute, max: 45.5 }, 'cost').max).toBe('45.5');
    expect(withMetric(rowOf({ metric: 'cost', per: 'day', max: '1000' }), 'tokens').max).toBe(1000);
    expect(withMetric(rowOf(full), 'tokens')).toMatchObject({ max: '', increase: { by: '' } });
  });
});

describe('withPeriod', () => {
  it('should remove alerts, which only budgets have', () => {
    expect(withPeriod(rowOf(full), 'week').notifyAt).toEqual(['50', '80', '100']);
    expect(withPeriod(rowOf(full), 'minute').notifyAt).toEqual([]);
  });
});

describe('changedLimits', () => {
  it('should be undefined for the same limits in another order', () => {
    expect(changedLimits([perDay, perMinute], [perMinute, perDay])).toBeUndefined();
  });

  it('should be undefined for amounts and lists that are only written differently', () => {
    const row = rowOf({ ...full, max: '1000' });
    const same = { ...row, max: '1000.0', models: ['small', 'gpt-mini'], notifyAt: ['100', '50', '80'] };
    expect(row.max).toBe('1,000.00');
    expect(changedLimits([same], [row])).toBeUndefined();
  });

  it('should return all limits if one is changed, added or removed', () => {
    const faster = { ...perMinute, max: 120 };
    expect(changedLimits([faster], [perMinute])).toEqual([{ metric: 'requests', per: 'minute', max: 120 }]);
    expect(changedLimits([perMinute, perDay], [perMinute])).toHaveLength(2);
    expect(changedLimits([], [perMinute])).toEqual([]);
    expect(changedLimits([{ ...perMinute, models: ['small'] }], [perMinute])).toHaveLength(1);
  });

  it('should keep every digit, second and option of limits that were not changed', () => {
    expect(changedLimits([rowOf(full), perMinute], [rowOf(full)])?.[0]).toEqual(full);
  });

  it('should leave out what is not set', () => {
    const row = withMetric({ ...rowOf(full), models: [], increase: { by: '', until: '' } }, 'concurrency');
    expect(changedLimits([{ ...row, max: 10 }], [])).toEqual([{ metric: 'concurrency', max: 10 }]);
  });
});
