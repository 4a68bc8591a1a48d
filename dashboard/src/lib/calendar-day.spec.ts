import {
  countDays,
  dayAfterKey,
  dayOf,
  daysBefore,
  formatDays,
  nameOfDay,
  readDay,
  startOfDay,
} from './calendar-day.js';

describe('dayOf', () => {
  it('should return the local day, from midnight to the last millisecond', () => {
    expect(dayOf(new Date(2026, 0, 31))).toBe('2026-01-31');
    expect(dayOf(new Date(2026, 0, 31, 23, 59, 59, 999))).toBe('2026-01-31');
  });
});

describe('startOfDay', () => {
  it('should return local midnight', () => {
    expect(startOfDay('2026-01-31')).toEqual(new Date(2026, 0, 31));
  });

  it('should cross the end of a month and of a year', () => {
    expect(dayOf(startOfDay('2025-12-31', 1))).toBe('2026-01-01');
    expect(dayOf(startOfDay('2024-03-01', -1))).toBe('2024-02-29');
  });
});

describe('countDays', () => {
  it.each([
    ['2026-01-31', '2026-01-31', 1],
    ['2026-01-31', '2026-02-01', 2],
    ['2026-03-01', '2026-03-31', 31],
    ['2026-02-01', '2026-01-31', 0],
  ])('should count the days from %s to %s, including both', (first, last, count) => {
    expect(countDays(first, last)).toBe(count);
  });
});

describe('readDay', () => {
  it('should accept an existing day', () => {
    expect(readDay('2024-02-29')).toBe('2024-02-29');
    expect(readDay('2028-02-29')).toBe('2028-02-29');
  });

  it.each(['2026-02-29', '2026-13-01', '2026-1-1', '0050-01-01', 'today', 'yesterday', '', 20260131, undefined, null])(
    'should reject %j',
    (value) => {
      expect(readDay(value)).toBeUndefined();
    },
  );
});

describe('formatDays', () => {
  it("should format both ends and leave out an end that isn't selected", () => {
    expect(formatDays(['2026-11-01', '2026-11-21'])).toMatch(/^1\s–\s21 Nov 2026$/);
    expect(formatDays(['2026-11-21', '2026-11-21'])).toBe('21 Nov 2026');
    expect(formatDays(['2026-11-01', null])).toBe('1 Nov 2026 – ');
    expect(formatDays([null, null])).toBe('');
  });
});

describe('nameOfDay', () => {
  const now = new Date(2026, 2, 1, 9, 30);

  it.each([
    ['2026-03-01', 'Today'],
    ['2026-02-28', 'Yesterday'],
    ['2026-02-27', '27 February 2026'],
  ])('should format %s as %s', (day, name) => {
    expect(nameOfDay(day, now)).toBe(name);
  });

  it('should handle the end of a month', () => {
    expect(dayOf(now)).toBe('2026-03-01');
    expect(daysBefore(now, 29)).toBe('2026-01-31');
  });
});

describe('dayAfterKey', () => {
  it.each([
    ['ArrowLeft', '2026-03-01', '2026-02-28'],
    ['ArrowRight', '2026-12-31', '2027-01-01'],
    ['ArrowUp', '2026-03-03', '2026-02-24'],
    ['ArrowDown', '2026-02-28', '2026-03-07'],
    ['Home', '2026-03-01', '2026-02-23'],
    ['End', '2026-02-26', '2026-03-01'],
    ['PageUp', '2026-03-31', '2026-02-28'],
    ['PageDown', '2026-12-31', '2027-01-31'],
    ['PageDown', '2028-01-31', '2028-02-29'],
    ['Enter', '2026-03-01', undefined],
  ])('should move by %s from %s to %s', (key, day, expected) => {
    expect(dayAfterKey(key, day)).toBe(expected);
  });
});
