import { isoStart, longStart, shortStart } from './format-interval.js';

const afternoon = '2026-11-21T13:00:00.000Z';
const midnight = '2026-11-20T23:00:00.000Z';
const timeZone = 'Europe/Berlin';
const days = { interval: 'day', timeZone } as const;
const hours = { interval: 'hour', timeZone } as const;

describe('shortStart', () => {
  it('should format days as dates, hours as times, and the first hour of a day as a date', () => {
    expect(shortStart(midnight, days, 7)).toBe('21 Nov');
    expect(shortStart(afternoon, hours, 25)).toBe('14:00');
    expect(shortStart(midnight, hours, 25)).toBe('21 Nov');
  });

  it('should format the hours of several days with their day', () => {
    expect(shortStart(afternoon, hours, 48)).toBe('21 Nov, 14:00');
  });
});

describe('longStart', () => {
  it('should include the weekday, and the year or the time', () => {
    expect(longStart(midnight, days)).toBe('Sat, 21 Nov 2026');
    expect(longStart(afternoon, hours)).toBe('Sat 21 Nov, 14:00');
  });
});

describe('isoStart', () => {
  it('should format days as dates of the time zone', () => {
    expect(isoStart(midnight, days)).toBe('2026-11-21');
  });

  it.each([
    ['Europe/Berlin', '2026-11-21T14:00+01:00'],
    ['America/St_Johns', '2026-11-21T09:30-03:30'],
    ['UTC', '2026-11-21T13:00+00:00'],
  ])('should format hours as time in %s with the UTC offset', (zone, text) => {
    expect(isoStart(afternoon, { interval: 'hour', timeZone: zone })).toBe(text);
  });
});
