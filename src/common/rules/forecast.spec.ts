import { forecast } from './forecast.js';

const day = { start: 1000, end: 2000 };

describe('forecast', () => {
  it('should continue what is used so far to the end of the period', () => {
    expect(forecast(10n, day, 1500)).toBe(20n);
    expect(forecast(10n ** 21n, day, 1250)).toBe(4n * 10n ** 21n);
    expect(forecast(7n, day, 2000)).toBe(7n);
  });

  it('should be undefined before 5% of the period have passed, and after its end', () => {
    expect(forecast(10n, day, 1049)).toBeUndefined();
    expect(forecast(10n, day, 1050)).toBe(200n);
    expect(forecast(10n, day, 2001)).toBeUndefined();
  });

  it('should be undefined if nothing is used', () => {
    expect(forecast(0n, day, 1500)).toBeUndefined();
    expect(forecast(-1n, day, 1500)).toBeUndefined();
  });
});
