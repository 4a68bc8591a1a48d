import { minuteTime, relativeTime } from './format-time.js';

const now = Date.parse('2026-03-01T12:00:00Z');
const inSeconds = (seconds: number) => relativeTime(new Date(now + seconds * 1000).toISOString(), now);
const day = 86_400;

describe('relativeTime', () => {
  it.each([
    [0, 'just now'],
    [-9, 'just now'],
    [-59, '59 seconds ago'],
    [-60, '1 minute ago'],
    [-3599, '1 hour ago'],
    [-3 * 3600, '3 hours ago'],
    [-day, '1 day ago'],
    [30, 'in 30 seconds'],
    [30 * day - 60, 'in 30 days'],
    [90 * day - 60, 'in 3 months'],
    [365 * day, 'in 1 year'],
  ])('should format an offset of %i seconds as "%s"', (seconds, words) => {
    expect(inSeconds(seconds)).toBe(words);
  });
});

describe('minuteTime', () => {
  it('should leave out the seconds', () => {
    const text = minuteTime('2026-03-01T12:34:56Z');
    expect(text).toContain('2026');
    expect(text).not.toContain('56');
  });
});
