import { checkGracePeriod, type GracePeriod, graceChoices, getGraceEnd, toSeconds } from './grace-period.js';

const custom = (amount: number | string, unit = 'minutes'): GracePeriod => ({
  choice: 'custom',
  amount,
  unit,
});

describe('toSeconds', () => {
  it('should return the seconds of each option', () => {
    const seconds = graceChoices
      .filter(({ value }) => value !== 'custom')
      .map(({ value: choice }) => toSeconds({ choice, amount: '', unit: 'days' }));
    expect(seconds).toEqual([0, 3600, 86_400, 604_800]);
  });

  it('should convert custom periods to whole seconds', () => {
    expect(toSeconds(custom(90))).toBe(5400);
    expect(toSeconds(custom(1.5, 'hours'))).toBe(5400);
    expect(toSeconds(custom(0.333))).toBe(20);
  });
});

describe('checkGracePeriod', () => {
  it.each([custom(1), custom(7, 'days'), custom(168, 'hours')])('should accept %j', (period) => {
    expect(checkGracePeriod(period)).toBeUndefined();
  });

  it.each([custom(''), custom(0), custom(-5), custom('-')])('should reject %j', (period) => {
    expect(checkGracePeriod(period)).toBe('Enter a duration.');
  });

  it('should reject more than 7 days', () => {
    expect(checkGracePeriod(custom(8, 'days'))).toBe('Use at most 7 days.');
    expect(checkGracePeriod(custom(10_081))).toBe('Use at most 7 days.');
  });
});

describe('getGraceEnd', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');

  it('should return the end of the grace period', () => {
    expect(getGraceEnd(3600, { now })).toBe('2026-03-01T13:00:00.000Z');
  });

  it('should not be later than the expiry of the key', () => {
    expect(getGraceEnd(3600, { now, expiresAt: '2026-03-01T12:30:00.000Z' })).toBe('2026-03-01T12:30:00.000Z');
  });

  it('should return undefined without a grace period', () => {
    expect(getGraceEnd(0, { now })).toBeUndefined();
  });
});
