import { isoStart, longStart, shortStart } from './format-interval.js';

const afternoon = new Date(2026, 10, 21, 14).toISOString();
const midnight = new Date(2026, 10, 21).toISOString();

describe('shortStart', () => {
  it('should format days as dates, hours as times, and the first hour of a day as a date', () => {
    expect(shortStart(midnight, 'day')).toBe('21 Nov');
    expect(shortStart(afternoon, 'hour')).toBe('14:00');
    expect(shortStart(midnight, 'hour')).toBe('21 Nov');
  });
});

describe('longStart', () => {
  it('should include the year, and the time for hours', () => {
    expect(longStart(midnight, 'day')).toBe('Sat, 21 Nov 2026');
    expect(longStart(afternoon, 'hour')).toBe('Sat, 21 Nov 2026, 14:00');
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
