import { checkLifetimeDays, settingsChanges } from './settings.js';

describe('checkLifetimeDays', () => {
  it.each([1, 90, 3650])('should take %p days', (longestKeyLifetimeDays) => {
    expect(checkLifetimeDays({ hasLongestLifetime: true, longestKeyLifetimeDays })).toBeUndefined();
  });

  it.each(['', '-', 0, -1, 1.5, 3651, NaN])('should not take %p for days', (longestKeyLifetimeDays) => {
    const message = 'Use a whole number from 1 to 3650.';
    expect(checkLifetimeDays({ hasLongestLifetime: true, longestKeyLifetimeDays })).toBe(message);
  });

  it('should not look at the days where there is no limit', () => {
    expect(checkLifetimeDays({ hasLongestLifetime: false, longestKeyLifetimeDays: '' })).toBeUndefined();
  });
});

describe('settingsChanges', () => {
  const before = { name: 'Research', longestKeyLifetimeDays: null };
  const values = { name: 'Research', hasLongestLifetime: false, longestKeyLifetimeDays: 90 };

  it('should find no change in spaces around the name, and in days that are no limit', () => {
    expect(settingsChanges(before, { ...values, name: ' Research ' })).toBeUndefined();
  });

  it('should name only what has changed', () => {
    expect(settingsChanges(before, { ...values, name: 'Laboratory' })).toEqual({ name: 'Laboratory' });
    expect(settingsChanges(before, { ...values, hasLongestLifetime: true })).toEqual({ longestKeyLifetimeDays: 90 });
  });

  it('should say null for a limit that is taken away', () => {
    const limited = { ...before, longestKeyLifetimeDays: 90 };
    expect(settingsChanges(limited, values)).toEqual({ longestKeyLifetimeDays: null });
  });
});
