import type { UsageSearch } from '../search.js';
import { groupLimit, previousPeriod, toUsagePeriod } from './usage-period.js';

const timeZone = 'Europe/Berlin';
const now = new Date('2026-11-21T09:31:00Z');

function periodOf(search: Partial<UsageSearch>) {
  return toUsagePeriod({ range: '7d', groupBy: 'none', ...search }, now, timeZone);
}

describe('toUsagePeriod', () => {
  it('should split the last 24 hours into hours, including the current one', () => {
    expect(periodOf({ range: '24h' })).toEqual({
      from: new Date(now.getTime() - 23 * 3_600_000),
      to: now,
      timeZone,
      interval: 'hour',
      intervalCount: 24,
      previousName: 'the previous 24 hours',
    });
  });

  it.each([
    ['7d', 7, new Date('2026-11-14T23:00:00Z')],
    ['30d', 30, new Date('2026-10-22T22:00:00Z')],
    ['90d', 90, new Date('2026-08-23T22:00:00Z')],
  ] as const)('should split the last %s into days, including today', (range, intervalCount, from) => {
    expect(periodOf({ range })).toEqual({
      from,
      to: now,
      timeZone,
      interval: 'day',
      intervalCount,
      previousName: `the previous ${intervalCount} days`,
    });
  });

  it('should cover custom days from midnight to midnight', () => {
    expect(periodOf({ range: '24h', from: '2026-01-01', to: '2026-01-31' })).toEqual({
      from: new Date('2025-12-31T23:00:00Z'),
      to: new Date('2026-01-31T23:00:00Z'),
      timeZone,
      interval: 'day',
      intervalCount: 31,
      previousName: 'the previous 31 days',
    });
  });

  it('should end custom days that include today now', () => {
    expect(periodOf({ from: '2026-11-21', to: '2026-11-21' })).toEqual({
      from: new Date('2026-11-20T23:00:00Z'),
      to: now,
      timeZone,
      interval: 'hour',
      intervalCount: 24,
      previousName: 'the same part of the previous day',
    });
  });

  it('should split up to three custom days into hours', () => {
    expect(periodOf({ from: '2026-11-01', to: '2026-11-03' })).toMatchObject({ interval: 'hour', intervalCount: 72 });
    expect(periodOf({ from: '2026-11-01', to: '2026-11-04' })).toMatchObject({ interval: 'day', intervalCount: 4 });
  });

  it('should split days whose hours are no longer kept into days', () => {
    expect(periodOf({ from: '2026-10-18', to: '2026-10-18' })).toMatchObject({ interval: 'hour', intervalCount: 24 });
    expect(periodOf({ from: '2026-10-17', to: '2026-10-17' })).toMatchObject({ interval: 'day', intervalCount: 1 });
  });
});

describe('a calendar month', () => {
  it('should have all of its days, and be compared with the month before', () => {
    const october = periodOf({ month: '2026-10' });
    expect(october).toEqual({
      from: new Date('2026-09-30T22:00:00Z'),
      to: new Date('2026-10-31T23:00:00Z'),
      timeZone,
      interval: 'day',
      intervalCount: 31,
      previousName: 'September',
      month: '2026-10',
    });
    expect(previousPeriod(october)).toMatchObject({
      from: new Date('2026-08-31T22:00:00Z'),
      to: new Date('2026-09-30T22:00:00Z'),
    });
  });

  it('should end now while it is running, and be compared with the same part of the month before', () => {
    const november = periodOf({ month: '2026-11' });
    const previousName = '1\u2060–\u206021\u00a0Oct until 10:31';
    expect(november).toMatchObject({ to: now, intervalCount: 30, previousName });
    expect(previousPeriod(november)).toMatchObject({
      from: new Date('2026-09-30T22:00:00Z'),
      to: new Date('2026-10-21T08:31:00Z'),
    });
  });

  it('should be compared with a minute in its first moments', () => {
    const first = toUsagePeriod({ range: '7d', month: '2026-11' }, new Date('2026-10-31T23:00:01Z'), timeZone);
    expect(previousPeriod(first)).toMatchObject({
      from: new Date('2026-09-30T22:00:00Z'),
      to: new Date('2026-09-30T22:01:00Z'),
    });
  });

  it('should be compared with the whole month before if that is shorter', () => {
    const march = toUsagePeriod({ range: '7d', month: '2026-03' }, new Date('2026-03-31T10:00:00Z'), timeZone);
    expect(march.previousName).toBe('February');
    expect(previousPeriod(march)).toMatchObject({
      from: new Date('2026-01-31T23:00:00Z'),
      to: new Date('2026-02-28T23:00:00Z'),
    });
  });
});

describe('groupLimit', () => {
  it("should be seven, or fewer if more don't fit in a response", () => {
    expect(groupLimit(periodOf({ range: '90d' }))).toBe(7);
    const year = periodOf({ from: '2025-01-01', to: '2025-12-31' });
    expect(groupLimit(year)).toBe(1);
    expect((groupLimit(year) + 1) * year.intervalCount).toBeLessThanOrEqual(1000);
  });
});
