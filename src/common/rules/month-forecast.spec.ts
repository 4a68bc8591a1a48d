import { forecastByWeekday, forecastMonth, type MonthSoFar } from './month-forecast.js';

/** Amounts of days, the first one a Monday. */
const weeks = (count: number, week: readonly bigint[]) => Array.from({ length: count }, () => week).flat();
const office = [10n, 10n, 10n, 10n, 10n, 0n, 0n];
const constant = Array.from({ length: 7 }, () => 10n);

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** A month whose first day follows `before`, and which has had `days` until yesterday. */
function monthOf(length: number, before: readonly bigint[], days: readonly bigint[], today: bigint): MonthSoFar {
  return { used: sum(days) + today, today, earlier: [...before, ...days], daysLeft: length - days.length - 1 };
}

describe('forecastByWeekday', () => {
  it.each([28, 29, 30, 31])('should be the length of a month of %d days times a constant amount per day', (length) => {
    for (let day = 1; day <= length; day += 1) {
      const month = monthOf(length, weeks(4, constant), weeks(5, constant).slice(0, day - 1), 4n);
      expect(forecastByWeekday(month)).toBe(10n * BigInt(length));
    }
  });

  it('should be the same on each day of a month with work from Monday to Friday', () => {
    // A month of 30 days that begins on a Monday has 22 weekdays.
    const days = [...weeks(4, office), ...office].slice(0, 30);
    const forecasts = days.map((_, index) =>
      forecastByWeekday(monthOf(30, weeks(4, office), days.slice(0, index), 0n)),
    );
    expect(new Set(forecasts)).toEqual(new Set([220n]));
  });

  it("should count today with its weekday's average, but not what is used of it twice", () => {
    const onMonday = (today: bigint) =>
      forecastByWeekday({ used: 100n + today, today, earlier: weeks(4, office), daysLeft: 0 });
    expect([0n, 4n, 10n].map(onMonday)).toEqual([110n, 110n, 110n]);
    expect(onMonday(25n)).toBe(125n);
  });

  it('should not count the part of today as a day of its weekday', () => {
    // Today and the day in a week are Mondays.
    const month = { used: 1n, today: 1n, earlier: weeks(4, office), daysLeft: 7 };
    expect(forecastByWeekday(month)).toBe(10n + sum(office));
  });

  it('should average a weekday over four weeks, and ignore older ones', () => {
    const mondays = [1000n, 10n, 20n, 30n, 40n].flatMap((monday) => [monday, 0n, 0n, 0n, 0n, 0n, 0n]);
    expect(forecastByWeekday({ used: 0n, today: 0n, earlier: mondays, daysLeft: 7 })).toBe(25n + 25n);
  });

  it('should average over fewer weeks if less is known', () => {
    const unused = weeks(2, office).map(() => 0n);
    // The first Monday was used from the evening on.
    const earlier = [...unused, 1n, 10n, 10n, 10n, 10n, 0n, 0n, 10n, 20n, 10n, 10n, 10n, 0n, 0n];
    expect(forecastByWeekday({ used: 0n, today: 0n, earlier, daysLeft: 1 })).toBe(10n + 15n);
  });

  it('should be undefined with less than a week of use', () => {
    const after = (days: number) =>
      forecastByWeekday({ used: 0n, today: 0n, earlier: [0n, 5n, ...constant.slice(0, days)], daysLeft: 1 });
    expect(after(6)).toBeUndefined();
    expect(after(7)).toBe(20n);
    expect(forecastByWeekday({ used: 5n, today: 5n, earlier: [], daysLeft: 1 })).toBeUndefined();
  });

  it('should expect nothing of days on which nothing is ever used', () => {
    // Used on the first of the month only.
    const earlier = [0n, 100n, ...weeks(2, [0n, 0n, 0n, 0n, 0n, 0n, 0n])];
    expect(forecastByWeekday({ used: 100n, today: 0n, earlier, daysLeft: 14 })).toBe(100n);
  });
});

describe('forecastMonth', () => {
  const span = { start: 0, end: 30 };

  it('should go by weekday if a week is known', () => {
    const month = { used: 0n, today: 0n, earlier: weeks(4, constant), daysLeft: 29 };
    expect(forecastMonth(month, span, 0)).toBe(300n);
  });

  it('should continue the month so far if less is known', () => {
    const month = { used: 20n, today: 10n, earlier: [0n, 10n], daysLeft: 20 };
    expect(forecastMonth(month, span, 10)).toBe(60n);
    expect(forecastMonth(month, span, 1)).toBeUndefined();
  });

  it('should be undefined if nothing is used and nothing is expected', () => {
    const unused = weeks(4, office).map(() => 0n);
    expect(forecastMonth({ used: 0n, today: 0n, earlier: unused, daysLeft: 3 }, span, 10)).toBeUndefined();
    expect(forecastMonth({ used: 0n, today: 0n, earlier: [1n, ...unused], daysLeft: 3 }, span, 10)).toBeUndefined();
  });
});
