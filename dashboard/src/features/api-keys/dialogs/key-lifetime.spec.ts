import { exactTime } from '../../../lib/format-time.js';
import { checkExpiry, defaultLifetime, expiryOf, lifetimeChoices, toLocalField } from './key-lifetime.js';

const now = Date.parse('2026-03-01T12:00:00Z');
const valuesWith = (longestDays: number | null) => lifetimeChoices(longestDays).map(({ value }) => value);

describe('lifetimeChoices', () => {
  it('should offer everything without a limit, and never at first', () => {
    expect(valuesWith(null)).toEqual(['never', '30', '90', '365', 'custom']);
    expect(defaultLifetime(null)).toBe('never');
  });

  it.each([
    [7, ['7', 'custom']],
    [30, ['30', 'custom']],
    [100, ['30', '90', '100', 'custom']],
    [3650, ['30', '90', '365', '3650', 'custom']],
  ])('should offer nothing beyond a limit of %i days, and the limit itself', (longestDays, expected) => {
    expect(valuesWith(longestDays)).toEqual(expected);
    expect(defaultLifetime(longestDays)).toBe(`${longestDays}`);
  });

  it('should name the presets in words', () => {
    const labels = lifetimeChoices(1).map(({ label }) => label);
    expect(labels).toEqual(['1 day', 'At a time of your choice']);
    expect(lifetimeChoices(null).map(({ label }) => label)).toContain('1 year');
  });
});

describe('expiryOf', () => {
  const expiryWith = (lifetime: string, longestDays: number | null = null) =>
    expiryOf({ lifetime, expiresAt: toLocalField(now) }, { longestDays, now })?.toISOString();

  it('should be none for never', () => {
    expect(expiryWith('never')).toBeUndefined();
  });

  it('should be days of 24 hours from now', () => {
    expect(expiryWith('30')).toBe('2026-03-31T12:00:00.000Z');
    expect(expiryWith('30', 90)).toBe('2026-03-31T12:00:00.000Z');
  });

  it('should leave a minute for clocks that differ when the limit itself is chosen', () => {
    expect(expiryWith('90', 90)).toBe('2026-05-30T11:59:00.000Z');
  });

  it('should read a time of the reader in the zone of the reader', () => {
    expect(expiryWith('custom')).toBe('2026-03-01T12:00:00.000Z');
  });
});

describe('checkExpiry', () => {
  const checkField = (expiresAt: string, longestDays: number | null = null) =>
    checkExpiry({ lifetime: 'custom', expiresAt }, { longestDays, now });
  const check = (time: number, longestDays?: number) => checkField(toLocalField(time), longestDays);

  it('should take what is offered', () => {
    for (const { value } of lifetimeChoices(90).filter(({ value }) => value !== 'custom')) {
      expect(checkExpiry({ lifetime: value, expiresAt: '' }, { longestDays: 90, now })).toBeUndefined();
    }
  });

  it('should take a time in the future, up to the limit', () => {
    expect(check(now + 60_000)).toBeUndefined();
    expect(check(now + 7 * 86_400_000, 7)).toBeUndefined();
  });

  it('should refuse the present and the past', () => {
    expect(check(now)).toBe('Choose a time in the future.');
    expect(check(now - 86_400_000)).toBe('Choose a time in the future.');
  });

  it('should name the latest time that the limit allows', () => {
    const latest = exactTime('2026-03-08T12:00:00Z');
    expect(check(now + 7 * 86_400_000 + 60_000, 7)).toBe(`Choose a time until ${latest}.`);
  });

  it('should refuse years that the service does not know', () => {
    expect(checkField('3001-01-01T00:00')).toBe('Choose a time until the year 2999.');
  });

  it.each(['', '2026-13-01T00:00', 'soon'])('should ask for a date and a time instead of %j', (expiresAt) => {
    expect(checkField(expiresAt)).toBe('Choose a date and a time.');
  });
});
