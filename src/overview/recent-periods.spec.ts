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

  it('should compare the month with the one before until the same minute, or all of it if it is shorter', () => {
    const comparedAt = (now: string) => {
      const { from, to } = recentPeriods('Europe/Berlin', new Date(now)).compared;
      return iso([from, to]);
    };
    expect(comparedAt('2026-11-21T09:31:00Z')).toEqual(['2026-09-30T22:00:00.000Z', '2026-10-21T08:31:00.000Z']);
    expect(comparedAt('2026-11-30T22:59:30Z')).toEqual(['2026-09-30T22:00:00.000Z', '2026-10-30T23:00:00.000Z']);
    expect(comparedAt('2026-03-31T10:00:00Z')).toEqual(['2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z']);
    expect(comparedAt('2026-01-01T00:00:00Z')).toEqual(['2025-11-30T23:00:00.000Z', '2025-12-01T00:00:00.000Z']);
  });

  it('should compare the first moments of a month with the first minute of the one before', () => {
    const { from, to } = recentPeriods('UTC', new Date('2026-12-01T00:00:00.001Z')).compared;
    expect(iso([from, to])).toEqual(['2026-11-01T00:00:00.000Z', '2026-11-01T00:01:00.000Z']);
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
