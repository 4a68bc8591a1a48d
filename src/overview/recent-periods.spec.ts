import { recentPeriods } from './recent-periods.js';

const iso = (dates: readonly Date[]) => dates.map((date) => date.toISOString());

describe('recentPeriods', () => {
  it("should begin at midnight in the organization's time zone, with the hours and days until now", () => {
    const { today, month } = recentPeriods('Europe/Berlin', new Date('2026-03-02T01:30:00Z'));
    expect(iso([today.from, today.to])).toEqual(['2026-03-01T23:00:00.000Z', '2026-03-02T23:00:00.000Z']);
    expect(iso(today.starts)).toEqual([
      '2026-03-01T23:00:00.000Z',
      '2026-03-02T00:00:00.000Z',
      '2026-03-02T01:00:00.000Z',
    ]);
    expect(iso([month.from, month.to])).toEqual(['2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z']);
    expect(iso(month.starts)).toEqual(['2026-02-28T23:00:00.000Z', '2026-03-01T23:00:00.000Z']);
  });

  it('should count the hours of days on which clocks change', () => {
    const hoursOf = (now: string) => recentPeriods('Europe/Berlin', new Date(now)).today.starts.length;
    expect(hoursOf('2026-03-29T21:59:59Z')).toBe(23);
    expect(hoursOf('2026-10-25T22:59:59Z')).toBe(25);
  });

  it('should have one hour and one day at the start of a month', () => {
    const { today, month } = recentPeriods('UTC', new Date('2026-12-01T00:00:00Z'));
    expect(iso(today.starts)).toEqual(['2026-12-01T00:00:00.000Z']);
    expect(month.starts).toEqual(today.starts);
    expect(iso([month.to])).toEqual(['2027-01-01T00:00:00.000Z']);
  });

  it('should have the days of the month before today, and four weeks at least', () => {
    const at = (now: string) => recentPeriods('Europe/Berlin', new Date(now));
    const early = at('2026-03-02T12:00:00Z');
    expect(early.earlier).toHaveLength(28);
    expect(iso(early.earlier.slice(0, 1))).toEqual(['2026-02-01T23:00:00.000Z']);
    expect(iso(early.earlier.slice(-1))).toEqual(['2026-02-28T23:00:00.000Z']);
    const last = at('2026-03-31T12:00:00Z');
    expect(last.earlier).toHaveLength(30);
    expect(iso(last.earlier)).toEqual(iso(last.month.starts.slice(0, -1)));
  });

  it('should count the days that are left, also when clocks change', () => {
    const daysLeft = (now: string) => recentPeriods('Europe/Berlin', new Date(now)).daysLeft;
    expect(daysLeft('2026-03-28T12:00:00Z')).toBe(3);
    expect(daysLeft('2026-03-29T12:00:00Z')).toBe(2);
    expect(daysLeft('2026-03-31T21:59:59Z')).toBe(0);
    expect(daysLeft('2026-02-01T12:00:00Z')).toBe(27);
    expect(daysLeft('2026-10-25T22:59:59Z')).toBe(6);
  });

  it('should begin each day at midnight before and after clocks change', () => {
    const { earlier } = recentPeriods('Europe/Berlin', new Date('2026-03-31T12:00:00Z'));
    expect(iso(earlier.slice(-4))).toEqual([
      '2026-03-26T23:00:00.000Z',
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });
});
