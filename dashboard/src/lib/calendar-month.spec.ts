import { daysOfMonth, monthOf, monthsBefore, readMonth, startOfMonth } from './calendar-month.js';

describe('monthOf', () => {
  it('should be the local month', () => {
    expect(monthOf(new Date(2026, 0, 1))).toBe('2026-01');
    expect(monthOf(new Date(2026, 11, 31, 23, 59))).toBe('2026-12');
  });
});

describe('monthsBefore', () => {
  it('should cross years', () => {
    expect(monthsBefore('2026-03', 0)).toBe('2026-03');
    expect(monthsBefore('2026-03', 3)).toBe('2025-12');
    expect(monthsBefore('2026-03', 15)).toBe('2024-12');
  });
});

describe('startOfMonth', () => {
  it('should be midnight of its first day', () => {
    expect(startOfMonth('2026-12')).toEqual(new Date(2026, 11, 1));
    expect(startOfMonth('2026-12', 1)).toEqual(new Date(2027, 0, 1));
  });
});

describe('daysOfMonth', () => {
  it('should be its first and last day, also in leap years', () => {
    expect(daysOfMonth('2026-12')).toEqual(['2026-12-01', '2026-12-31']);
    expect(daysOfMonth('2028-02')).toEqual(['2028-02-01', '2028-02-29']);
  });
});

describe('readMonth', () => {
  it('should accept only months that exist', () => {
    expect(readMonth('2026-11')).toBe('2026-11');
    for (const value of ['2026-13', '2026-00', '2026-1', '2026-11-01', 202_611, undefined]) {
      expect(readMonth(value)).toBeUndefined();
    }
  });
});
