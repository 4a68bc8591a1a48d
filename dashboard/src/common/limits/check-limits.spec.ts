import { maxConcurrency, maxLimit } from '@rules/limit-rules.js';
import { limitRules } from './check-limits.js';
import { type LimitRow, toRows } from './limit-rows.js';

const [perMinute, perDay, cost, concurrency] = toRows([
  { metric: 'requests', per: 'minute', max: 60 },
  { metric: 'tokens', per: 'day', max: 1_000_000 },
  { metric: 'cost', per: 'month', max: '25' },
  { metric: 'concurrency', max: 10 },
]) as [LimitRow, LimitRow, LimitRow, LimitRow];

const checkMax = (row: LimitRow, max: number | string) => limitRules.max(max, { limits: [row] }, 'limits.0.max');
const checkIncrease = (row: LimitRow, increase: LimitRow['increase']) => {
  const values = { limits: [{ ...row, increase }] };
  return {
    by: limitRules.increase.by(increase.by, values, 'limits.0.increase.by'),
    until: limitRules.increase.until(increase.until, values, 'limits.0.increase.until'),
  };
};

describe('limitRules', () => {
  it.each([1, 60, maxLimit])('should accept a maximum of %p', (max) => {
    expect(checkMax(perMinute, max)).toBeUndefined();
  });

  it.each(['', '-', 0, -1, 1.5, maxLimit + 1, '99999999999999999999'])('should reject a maximum of %p', (max) => {
    expect(checkMax(perMinute, max)).toBe('Enter a whole number from 1 to 1,000,000,000,000.');
  });

  it.each(['25', '25.00', '0.000000001', '1,000,000,000', '1.0000000000'])('should accept a cost of %s', (max) => {
    expect(checkMax(cost, max)).toBeUndefined();
  });

  it.each([
    ['', 'Enter an amount, such as 25.00.'],
    ['25 USD', 'Enter an amount, such as 25.00.'],
    ['-1', 'Enter an amount, such as 25.00.'],
    ['1,500', 'Enter 1500 or 1.50: 1,500 can mean both.'],
    ['45.125', 'Enter 45125 or 45.1250: 45.125 can mean both.'],
    ['0.0', 'Enter an amount above 0, and at most 1,000,000,000.'],
    ['1,000,000,000.01', 'Enter an amount above 0, and at most 1,000,000,000.'],
    ['0.0000000001', 'Enter at most 9 decimals.'],
  ])('should reject a cost of "%s"', (max, message) => {
    expect(checkMax(cost, max)).toBe(message);
  });

  it('should allow fewer concurrent requests than requests per minute', () => {
    expect(checkMax(concurrency, maxConcurrency)).toBeUndefined();
    expect(checkMax(concurrency, maxConcurrency + 1)).toBe('Enter a whole number from 1 to 1,000,000.');
  });

  it('should reject only the second limit of the same metric, period and models', () => {
    const limits = [perMinute, perDay, { ...perMinute, max: 5 }, { ...perMinute, models: ['small'] }, concurrency];
    const errors = [...limits, concurrency, { ...perMinute, models: ['small'] }].map((row, index, all) =>
      limitRules.per(row.per, { limits: all }, `limits.${index}.per`),
    );
    expect(errors).toEqual([
      undefined,
      undefined,
      'There is already a limit on requests per minute.',
      undefined,
      undefined,
      'There is already a limit on concurrent requests.',
      'There is already a limit on requests per minute for these models.',
    ]);
  });

  it('should require both parts of an increase, or none', () => {
    const until = '2026-12-01T00:00';
    expect(checkIncrease(cost, { by: '', until: '' })).toEqual({ by: undefined, until: undefined });
    expect(checkIncrease(cost, { by: '5', until })).toEqual({ by: undefined, until: undefined });
    expect(checkIncrease(cost, { by: '', until }).by).toBe('Enter an amount, such as 25.00.');
    expect(checkIncrease(perDay, { by: 5, until: '' }).until).toBe('Enter both a date and a time.');
  });

  it.each([[['1', '50', '100']], [[]]])('should accept alerts at %j percent', (percents) => {
    expect(limitRules.notifyAt(percents, { limits: [] }, '')).toBeUndefined();
  });

  it.each(['0', '101', '1.5', '080', 'half'])('should reject an alert at %s percent', (percent) => {
    expect(limitRules.notifyAt([percent], { limits: [] }, '')).toBe('Enter whole percentages from 1 to 100.');
  });
});
