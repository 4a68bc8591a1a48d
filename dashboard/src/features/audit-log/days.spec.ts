import { dayOf, daysBefore, nameOfDay, periodOf, readDay } from './days.js';

describe('readDay', () => {
  it('should take a day of the calendar', () => {
    expect(readDay('2028-02-29')).toBe('2028-02-29');
  });

  it.each(['2026-02-29', '2026-13-01', '2026-1-1', 'yesterday', 20261121, undefined])('should refuse %j', (value) => {
    expect(readDay(value)).toBeUndefined();
  });
});

describe('periodOf', () => {
  it('should hold all of the last day', () => {
    const { from = '', to = '' } = periodOf({ from: '2026-11-20', to: '2026-11-21' });
    expect(new Date(from)).toEqual(new Date(2026, 10, 20));
    expect(new Date(to)).toEqual(new Date(2026, 10, 22));
  });

  it('should leave open what is open', () => {
    expect(periodOf({})).toEqual({ from: undefined, to: undefined });
  });
});

describe('nameOfDay', () => {
  const now = new Date(2026, 2, 1, 9, 30);

  it.each([
    ['2026-03-01', 'Today'],
    ['2026-02-28', 'Yesterday'],
    ['2026-02-27', '27 February 2026'],
  ])('should call %s: %s', (day, name) => {
    expect(nameOfDay(day, now)).toBe(name);
  });

  it('should count days over the end of a month', () => {
    expect(dayOf(now)).toBe('2026-03-01');
    expect(daysBefore(now, 29)).toBe('2026-01-31');
  });
});
