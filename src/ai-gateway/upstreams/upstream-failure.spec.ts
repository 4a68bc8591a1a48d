import { readRetryAfterSeconds } from './upstream-failure.js';

describe('readRetryAfterSeconds', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it.each([
    ['7', 7],
    ['0', 1],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 1],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('should read %p as %p', (header, seconds) => {
    expect(readRetryAfterSeconds(header, now)).toBe(seconds);
  });
});
