import { daysToRead, expectRest } from './expected-rest.js';

/** Costs of as many days as a forecast reads. */
const costsUntil = (today: string, cost: bigint) => Array.from({ length: daysToRead(today) + 1 }, () => cost);

describe('daysToRead', () => {
  it('should be four weeks, or the days of the month before today if there are more', () => {
    expect([daysToRead('2026-11-01'), daysToRead('2026-11-29')]).toEqual([28, 28]);
    expect(daysToRead('2026-12-31')).toBe(30);
  });
});

describe('expectRest', () => {
  it.each([
    ['2026-02-01', 'Europe/Berlin', '2026-02-01T11:00:00Z', 27],
    ['2028-02-28', 'UTC', '2028-02-28T11:00:00Z', 1],
    ['2026-12-31', 'UTC', '2026-12-31T11:00:00Z', 0],
    ['2026-03-28', 'Europe/Berlin', '2026-03-28T11:00:00Z', 3],
    ['2026-10-24', 'Europe/Berlin', '2026-10-24T22:30:00Z', 7],
    ['2026-12-01', 'Pacific/Kiritimati', '2026-11-30T10:30:00Z', 30],
  ])('should be of the days after %s in %s, also when clocks change', (today, timeZone, now, daysLeft) => {
    const costs = costsUntil(today, 10n);
    expect(expectRest({ costs, today, timeZone, now: Date.parse(now), since: 0 })).toBe(10n * BigInt(daysLeft));
  });

  it('should continue the time since a key was created, if less than a week is known', () => {
    const costs = [...costsUntil('2026-11-16', 0n).slice(0, -2), 10n, 0n];
    const known = { costs, today: '2026-11-16', timeZone: 'UTC', now: Date.parse('2026-11-16T00:00:00Z') };
    expect(expectRest({ ...known, since: Date.parse('2026-11-11T00:00:00Z') })).toBe(30n);
    expect(expectRest({ ...known, since: 0 })).toBe(10n);
  });

  it('should be undefined if nothing was used', () => {
    const costs = costsUntil('2026-11-16', 0n);
    const now = Date.parse('2026-11-16T00:00:00Z');
    expect(expectRest({ costs, today: '2026-11-16', timeZone: 'UTC', now, since: 0 })).toBeUndefined();
  });
});
