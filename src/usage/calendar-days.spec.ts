import { CalendarDays } from './calendar-days.js';

const startsOf = (timeZone: string, from: string, count: number) => {
  const days = new CalendarDays(timeZone);
  const first = days.numberOf(new Date(from));
  return Array.from({ length: count }, (_, index) =>
    days
      .startOf(first + index)
      .toISOString()
      .slice(0, 16),
  );
};

describe('CalendarDays', () => {
  it.each([
    ['UTC', ['2026-01-30T00:00', '2026-01-31T00:00']],
    ['Asia/Kolkata', ['2026-01-29T18:30', '2026-01-30T18:30']],
    ['America/New_York', ['2026-01-29T05:00', '2026-01-30T05:00']],
    ['Pacific/Kiritimati', ['2026-01-29T10:00', '2026-01-30T10:00']],
  ])('should start days at midnight in %s', (timeZone, starts) => {
    expect(startsOf(timeZone, '2026-01-30T04:59:59.999Z', 2)).toEqual(starts);
  });

  it('should have days of 23 and 25 hours when clocks change', () => {
    expect(startsOf('Europe/Berlin', '2026-03-28T12:00:00Z', 3)).toEqual([
      '2026-03-27T23:00',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
    ]);
    expect(startsOf('Europe/Berlin', '2026-10-25T12:00:00Z', 2)).toEqual(['2026-10-24T22:00', '2026-10-25T23:00']);
  });

  it('should start a day at the clock change that skips midnight', () => {
    expect(startsOf('Asia/Beirut', '2026-03-28T12:00:00Z', 3)).toEqual([
      '2026-03-27T22:00',
      '2026-03-28T22:00',
      '2026-03-29T21:00',
    ]);
  });

  it('should start a day at the first of two midnights', () => {
    expect(startsOf('America/Havana', '2026-11-01T12:00:00Z', 2)).toEqual(['2026-11-01T04:00', '2026-11-02T05:00']);
  });

  it('should start a skipped day when the next one starts', () => {
    expect(startsOf('Pacific/Apia', '2011-12-29T12:00:00Z', 3)).toEqual([
      '2011-12-29T10:00',
      '2011-12-30T10:00',
      '2011-12-30T10:00',
    ]);
  });

  it.each([
    'Africa/Cairo',
    'Africa/Casablanca',
    'America/Havana',
    'America/St_Johns',
    'Asia/Beirut',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
  ])('should map the start of each day back to the day in %s', (timeZone) => {
    const days = new CalendarDays(timeZone);
    const first = days.numberOf(new Date('2026-01-01T12:00:00Z'));
    for (let number = first; number < first + 366; number++) {
      const start = days.startOf(number);
      expect(days.numberOf(start)).toBe(number);
      expect(days.numberOf(new Date(start.getTime() - 1))).toBe(number - 1);
    }
  });
});
