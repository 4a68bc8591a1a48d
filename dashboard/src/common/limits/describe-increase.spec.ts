import type { LimitState } from '../../api/schema.js';
import { minuteTime } from '../../lib/format-time.js';
import { describeCurrentLimit, describeIncrease } from './describe-increase.js';
import { type LimitRow, toRows } from './limit-rows.js';

const until = '2026-12-01T00:00:00.000Z';
const end = minuteTime(until);
const before = Date.parse(until) - 1;
const [cost, requests, concurrency] = toRows(
  [
    { metric: 'cost', per: 'month', max: '25', increase: { by: '5.125', until } },
    { metric: 'requests', per: 'day', max: 1000, increase: { by: 500, until } },
    { metric: 'concurrency', max: 10, increase: { by: 1, until } },
  ],
  'EUR',
) as [LimitRow, LimitRow, LimitRow];

describe('describeIncrease', () => {
  it('should say what the limit allows until the increase ends, and afterwards', () => {
    expect(describeIncrease(cost, 'EUR', before)).toBe(`€30.125 per month until ${end}, then €25.00`);
    expect(describeIncrease(requests, 'EUR', before)).toBe(`1,500 requests per day until ${end}, then 1,000`);
    expect(describeIncrease(concurrency, 'EUR', before)).toBe(`11 concurrent requests until ${end}, then 10`);
    expect(describeIncrease({ ...cost, max: '40' }, 'EUR', before)).toBe(`€45.125 per month until ${end}, then €40.00`);
  });

  it('should name the increase alone while the limit is incomplete', () => {
    expect(describeIncrease({ ...requests, max: '' }, 'EUR', before)).toBe(`500 more until ${end}`);
  });

  it('should say that it has ended', () => {
    expect(describeIncrease(cost, 'EUR', Date.parse(until))).toBe(`increase ended ${end}`);
  });

  it('should be undefined without an increase, and while it is incomplete', () => {
    const increases = [
      { by: '', until: '' },
      { by: '5', until: '' },
      { by: '', until },
      { by: 'five', until },
    ];
    expect(increases.map((increase) => describeIncrease({ ...cost, increase }, 'EUR', before))).toEqual(
      increases.map(() => undefined),
    );
  });
});

describe('describeCurrentLimit', () => {
  const state: LimitState = {
    ...{ metric: 'cost', per: 'month', max: '45.5', used: '4.58', reserved: '0', estimated: '0', remaining: '60.92' },
    ...{ models: ['gpt-mini'], increase: { by: '20', until }, resetsAt: until, isIncreased: true },
  };

  it('should say what the limit allows until the increase ends, and afterwards', () => {
    expect(describeCurrentLimit(state, 'EUR')).toBe(`€65.50 per month for gpt-mini until ${end}, then €45.50`);
  });

  it('should be the limit without an increase that applies', () => {
    const { increase, ...plain } = state;
    expect(increase).toBeDefined();
    for (const limit of [plain, { ...state, isIncreased: false }]) {
      expect(describeCurrentLimit(limit, 'EUR')).toBe('€45.50 per month for gpt-mini');
    }
  });
});
