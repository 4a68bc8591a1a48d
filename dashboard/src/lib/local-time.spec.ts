import { endOfTime, readLocalTime, startOfTime } from './local-time.js';

describe('readLocalTime', () => {
  it('should read days and minutes that exist', () => {
    expect(readLocalTime('2026-11-20')).toBe('2026-11-20');
    expect(readLocalTime('2026-11-20T23:59')).toBe('2026-11-20T23:59');
    for (const value of [
      '2026-11-31',
      '2026-11-20T24:00',
      '2026-11-20T09:60',
      '2026-11-20T09:30:00',
      '2026-11-20T',
      20,
    ])
      expect(readLocalTime(value)).toBeUndefined();
  });
});

describe('startOfTime and endOfTime', () => {
  it('should include the whole day, or the whole minute', () => {
    expect(startOfTime('2026-11-20')).toEqual(new Date(2026, 10, 20));
    expect(endOfTime('2026-11-20')).toEqual(new Date(2026, 10, 21));
    expect(startOfTime('2026-11-20T09:30')).toEqual(new Date(2026, 10, 20, 9, 30));
    expect(endOfTime('2026-11-20T09:30')).toEqual(new Date(2026, 10, 20, 9, 31));
  });
});
