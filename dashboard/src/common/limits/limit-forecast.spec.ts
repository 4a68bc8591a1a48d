import type { LimitState } from '../../api/schema.js';
import { budgetPeriod, lastDayOf } from './budget-period.js';
import { forecastBudget } from './limit-forecast.js';

const state: LimitState = {
  metric: 'cost',
  per: 'month',
  max: '25',
  used: '15.6',
  reserved: '0',
  estimated: '0',
  remaining: '9.4',
  resetsAt: '2026-12-01T00:00:00.000Z',
  isIncreased: false,
};
const halfTime = Date.parse('2026-11-16T00:00:00Z');
const textOf = (changes: Partial<LimitState>, now = halfTime) =>
  forecastBudget({ ...state, ...changes }, now, 'EUR')?.text;

describe('forecastBudget', () => {
  it('should name what is used when the period ends, and its share of the budget', () => {
    expect(forecastBudget(state, halfTime, 'EUR')).toEqual({
      text: 'At this rate: €31.20 by 30 November, 124.8% of the budget',
      isTooMuch: true,
    });
    expect(forecastBudget({ ...state, used: '10', remaining: '15' }, halfTime, 'EUR')?.isTooMuch).toBe(false);
  });

  it('should add what the rest of the month will probably cost to a monthly budget', () => {
    const basis = { expectedRest: 4_400_000_000n };
    const early = Date.parse('2026-11-01T00:10:00Z');
    expect(forecastBudget({ ...state, reserved: '1' }, early, 'EUR', basis)?.text).toBe(
      'Forecast: €19.00 by 30 November, 76.0% of the budget',
    );
    const weekly = { ...state, per: 'week', resetsAt: '2026-11-19T12:00:00.000Z' } as const;
    expect(forecastBudget(weekly, halfTime, 'EUR', basis)?.text).toMatch(/^At this rate/);
    expect(forecastBudget({ ...state, models: ['small'] }, halfTime, 'EUR', basis)?.text).toMatch(/^At this rate/);
  });

  it('should compare with the budget after an increase that ends earlier', () => {
    const increasedUntil = (until: string) => textOf({ isIncreased: true, increase: { by: '25', until } });
    const forecasted = 'At this rate: €31.20 by 30 November';
    expect(increasedUntil('2026-11-30T00:00:00Z')).toBe(`${forecasted}, 124.8% of the budget after the increase ends`);
    expect(increasedUntil('2026-12-01T00:00:00Z')).toBe(`${forecasted}, 62.4% of the budget`);
  });

  it('should round amounts other than costs', () => {
    const tokens = { metric: 'tokens', per: 'day', max: 10_000, used: 1234, reserved: 0, remaining: 8766 } as const;
    expect(textOf({ ...tokens, resetsAt: '2026-11-16T16:00:00Z' })).toBe(
      'At this rate: 3,700 tokens by the end of the day, 37.0% of the budget',
    );
  });

  it('should count from the creation of the key, if the period began earlier', () => {
    const since = (createdAt: string) =>
      forecastBudget(state, halfTime, 'EUR', { createdAt: Date.parse(createdAt) })?.text;
    expect(since('2026-11-11T00:00:00Z')).toBe('At this rate: €62.40 by 30 November, 249.6% of the budget');
    expect(since('2026-10-20T00:00:00Z')).toBe('At this rate: €31.20 by 30 November, 124.8% of the budget');
    expect(since('2026-11-15T23:50:00Z')).toBeUndefined();
  });

  it('should be undefined in the first hour of a key, even if little of the period is left', () => {
    const createdAt = Date.parse('2026-11-30T20:00:00Z');
    const after = (minutes: number) => forecastBudget(state, createdAt + minutes * 60_000, 'EUR', { createdAt });
    expect(after(59)).toBeUndefined();
    expect(after(60)).toBeDefined();
  });

  it('should not show more decimals of a cost than the budget has', () => {
    expect(textOf({ used: '0.000012632' })).toBe('At this rate: <€0.01 by 30 November, <0.1% of the budget');
    expect(textOf({ used: '0.0617', max: '0.5' })).toBe('At this rate: €0.12 by 30 November, 24.7% of the budget');
    expect(textOf({ used: '0.0001', max: '0.001' })).toBe('At this rate: <€0.001 by 30 November, 20.0% of the budget');
  });

  it('should leave out what running requests reserve', () => {
    expect(textOf({ reserved: '5.6' })).toBe('At this rate: €20.00 by 30 November, 80.0% of the budget');
  });

  it('should include an increase only if it lasts until the end of the period', () => {
    const increased = (until: string) => textOf({ isIncreased: true, increase: { by: '5', until } });
    expect(increased('2026-12-01T00:00:00Z')).toMatch('104.0% of the budget');
    expect(increased('2026-11-30T00:00:00Z')).toMatch('124.8% of the budget');
  });

  it('should be undefined if it is too early, or if nothing or everything is used', () => {
    expect(textOf({}, Date.parse('2026-11-02T10:00:00Z'))).toBeUndefined();
    expect(textOf({ used: '0', remaining: '25' })).toBeUndefined();
    expect(textOf({ used: '1', reserved: '1', remaining: '24' })).toBeUndefined();
    expect(textOf({ used: '25', remaining: '0' })).toBeUndefined();
  });

  it('should be undefined for limits that refill, and for concurrent requests', () => {
    expect(textOf({ metric: 'tokens', per: 'hour', max: 9, used: 3, reserved: 0, remaining: 6 })).toBeUndefined();
    const running = { metric: 'concurrency', per: undefined, max: 9, used: 3, reserved: 0, remaining: 6 } as const;
    expect(textOf({ ...running, resetsAt: null })).toBeUndefined();
  });
});

describe('budgetPeriod', () => {
  it.each([
    ['UTC', '2026-12-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    ['Berlin', '2026-11-30T23:00:00Z', '2026-10-31T23:00:00Z'],
    ['Kiritimati', '2026-02-28T10:00:00Z', '2026-01-31T10:00:00Z'],
    ['Honolulu', '2026-03-01T10:00:00Z', '2026-02-01T10:00:00Z'],
  ])('should start a month on its first day in %s', (_zone, end, start) => {
    expect(budgetPeriod('month', Date.parse(end)).start).toBe(Date.parse(start));
  });
});

describe('lastDayOf', () => {
  it.each([
    ['month', '2026-11-30T23:00:00Z', '2026-11-30'],
    ['month', '2026-12-01T10:00:00Z', '2026-11-30'],
    ['week', '2026-11-29T10:00:00Z', '2026-11-29'],
    ['week', '2026-11-30T12:00:00Z', '2026-11-29'],
  ] as const)('should be the last day of a %s that ends at %s', (per, end, day) => {
    expect(new Date(lastDayOf(per, Date.parse(end))).toISOString().slice(0, 10)).toBe(day);
  });
});
