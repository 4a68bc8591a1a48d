import { isoStart, longStart, shortStart } from './format-interval.js';

const afternoon = new Date(2026, 10, 21, 14).toISOString();
const midnight = new Date(2026, 10, 21).toISOString();

describe('shortStart', () => {
  it('should format days as dates, hours as times, and the first hour of a day as a date', () => {
    expect(shortStart(midnight, 'day', 7)).toBe('21 Nov');
    expect(shortStart(afternoon, 'hour', 25)).toBe('14:00');
    expect(shortStart(midnight, 'hour', 25)).toBe('21 Nov');
  });

  it('should format the hours of several days with their day', () => {
    expect(shortStart(afternoon, 'hour', 48)).toBe('21 Nov, 14:00');
  });
});

describe('longStart', () => {
  it('should include the weekday, and the year or the time', () => {
    expect(longStart(midnight, 'day')).toBe('Sat, 21 Nov 2026');
    expect(longStart(afternoon, 'hour')).toBe('Sat 21 Nov, 14:00');
  });
});

describe('isoStart', () => {
  it('should format days as local dates', () => {
    expect(isoStart(midnight, 'day')).toBe('2026-11-21');
  });

  it('should format hours as local time with the UTC offset', () => {
    const text = isoStart(afternoon, 'hour');
    expect(text).toMatch(/^2026-11-21T14:00[+-]\d\d:\d\d$/);
    expect(new Date(text).toISOString()).toBe(afternoon);
  });
});
