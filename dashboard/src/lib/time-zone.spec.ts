import { formatOffset, monthAt, offsetOf } from './time-zone.js';

const hour = 3_600_000;

describe('offsetOf', () => {
  it.each([
    ['UTC', '2026-07-01T00:00:00Z', 0],
    ['Europe/Berlin', '2026-07-01T00:00:00Z', 2],
    ['Europe/Berlin', '2026-12-01T00:00:00.500Z', 1],
    ['Asia/Kolkata', '2026-07-01T00:00:00Z', 5.5],
    ['America/St_Johns', '2026-12-01T00:00:00Z', -3.5],
  ])('should know how far %s is ahead of UTC at %s', (timeZone, at, hours) => {
    expect(offsetOf(timeZone, Date.parse(at))).toBe(hours * hour);
  });
});

describe('formatOffset', () => {
  it.each([
    [0, 'UTC+00:00'],
    [5.5, 'UTC+05:30'],
    [-3.5, 'UTC−03:30'],
    [14, 'UTC+14:00'],
  ])('should format %d hours as %s', (hours, text) => {
    expect(formatOffset(hours * hour)).toBe(text);
  });
});

describe('monthAt', () => {
  it.each([
    ['UTC', '2026-11-28T08:00:00Z', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
    ['Europe/Berlin', '2026-10-31T23:30:00Z', '2026-10-31T23:00:00Z', '2026-11-30T23:00:00Z'],
    ['Europe/Berlin', '2026-10-31T22:30:00Z', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2026-12-31T10:00:00Z', '2027-01-31T10:00:00Z'],
    ['America/Los_Angeles', '2027-01-01T07:59:59Z', '2026-12-01T08:00:00Z', '2027-01-01T08:00:00Z'],
  ])('should start and end at midnight in %s, with the month of %s', (timeZone, at, start, end) => {
    const month = monthAt(timeZone, Date.parse(at));
    expect([month.start, month.end]).toEqual([Date.parse(start), Date.parse(end)]);
  });
});
