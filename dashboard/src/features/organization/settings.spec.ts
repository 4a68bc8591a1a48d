import { checkLifetimeDays, settingsChanges } from './settings.js';

describe('checkLifetimeDays', () => {
  it.each([1, 90, 3650])('should accept %p days', (longestKeyLifetimeDays) => {
    expect(checkLifetimeDays({ hasLongestLifetime: true, longestKeyLifetimeDays })).toBeUndefined();
  });

  it.each(['', '-', 0, -1, 1.5, 3651, NaN])('should reject %p days', (longestKeyLifetimeDays) => {
    const message = 'Enter a whole number from 1 to 3650.';
    expect(checkLifetimeDays({ hasLongestLifetime: true, longestKeyLifetimeDays })).toBe(message);
  });

  it('should ignore the days if there is no limit', () => {
    expect(checkLifetimeDays({ hasLongestLifetime: false, longestKeyLifetimeDays: '' })).toBeUndefined();
  });
});

describe('settingsChanges', () => {
  const before = { name: 'Research', longestKeyLifetimeDays: null, timeZone: 'UTC', onLeak: 'disable' as const };
  const values = {
    name: 'Research',
    hasLongestLifetime: false,
    longestKeyLifetimeDays: 90,
    timeZone: 'UTC',
    onLeak: 'disable' as const,
  };

  it('should ignore surrounding spaces in the name, and the days if there is no limit', () => {
    expect(settingsChanges(before, { ...values, name: ' Research ' })).toBeUndefined();
  });

  it('should return only changed settings', () => {
    expect(settingsChanges(before, { ...values, name: 'Laboratory' })).toEqual({ name: 'Laboratory' });
    expect(settingsChanges(before, { ...values, timeZone: 'Asia/Tokyo' })).toEqual({ timeZone: 'Asia/Tokyo' });
    expect(settingsChanges(before, { ...values, onLeak: 'delete' })).toEqual({ onLeak: 'delete' });
    expect(settingsChanges(before, { ...values, hasLongestLifetime: true })).toEqual({ longestKeyLifetimeDays: 90 });
  });

  it('should return null for a removed limit', () => {
    const limited = { ...before, longestKeyLifetimeDays: 90 };
    expect(settingsChanges(limited, values)).toEqual({ longestKeyLifetimeDays: null });
  });
});
