import { checkGracePeriod, type GracePeriod, graceChoices, graceEnd, graceSeconds } from './grace-period.js';

const custom = (amount: number | string, unit = 'minutes'): GracePeriod => ({
  choice: 'custom',
  amount,
  unit,
});

describe('graceSeconds', () => {
  it('should be what the choice says', () => {
    const seconds = graceChoices
      .filter(({ value }) => value !== 'custom')
      .map(({ value: choice }) => graceSeconds({ choice, amount: '', unit: 'days' }));
    expect(seconds).toEqual([0, 3600, 86_400, 604_800]);
  });

  it('should be whole seconds of the chosen unit', () => {
    expect(graceSeconds(custom(90))).toBe(5400);
    expect(graceSeconds(custom(1.5, 'hours'))).toBe(5400);
    expect(graceSeconds(custom(0.333))).toBe(20);
  });
});

describe('checkGracePeriod', () => {
  it.each([custom(1), custom(7, 'days'), custom(168, 'hours')])('should take %j', (period) => {
    expect(checkGracePeriod(period)).toBeUndefined();
  });

  it.each([custom(''), custom(0), custom(-5), custom('-')])('should ask how long for %j', (period) => {
    expect(checkGracePeriod(period)).toBe('Enter how long.');
  });

  it('should refuse more than 7 days', () => {
    expect(checkGracePeriod(custom(8, 'days'))).toBe('Use at most 7 days.');
    expect(checkGracePeriod(custom(10_081))).toBe('Use at most 7 days.');
  });
});

describe('graceEnd', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');

  it('should be so many seconds from now', () => {
    expect(graceEnd(3600, { now })).toBe('2026-03-01T13:00:00.000Z');
  });

  it('should not be after the expiry of the key', () => {
    expect(graceEnd(3600, { now, expiresAt: '2026-03-01T12:30:00.000Z' })).toBe('2026-03-01T12:30:00.000Z');
  });

  it('should be none without a grace period', () => {
    expect(graceEnd(0, { now })).toBeUndefined();
  });
});
