import { minuteTime } from '../../../lib/format-time.js';
import { checkExpiry, currentExpiry, defaultLifetime, getExpiry, lifetimeChoices } from './key-lifetime.js';
import { toLocalField } from '../../../lib/local-field.js';

const now = Date.parse('2026-03-01T12:00:00Z');
const valuesWith = (maxDays: number | null) => lifetimeChoices(maxDays).map(({ value }) => value);

describe('lifetimeChoices', () => {
  it('should offer all options and default to never without a limit', () => {
    expect(valuesWith(null)).toEqual(['never', '30', '90', '365', 'custom']);
    expect(defaultLifetime(null)).toBe('never');
  });

  it.each([
    [7, ['7', 'custom']],
    [30, ['30', 'custom']],
    [100, ['30', '90', '100', 'custom']],
    [3650, ['30', '90', '365', '3650', 'custom']],
  ])('should offer lifetimes up to a limit of %i days and default to the limit', (maxDays, expected) => {
    expect(valuesWith(maxDays)).toEqual(expected);
    expect(defaultLifetime(maxDays)).toBe(`${maxDays}`);
  });

  it('should label the options', () => {
    const labels = lifetimeChoices(1).map(({ label }) => label);
    expect(labels).toEqual(['1 day', 'Custom date']);
    expect(lifetimeChoices(null).map(({ label }) => label)).toContain('1 year');
  });
});

describe('currentExpiry', () => {
  it('should be the time of a key that expires later, or never', () => {
    const expiresAt = '2026-04-01T12:00:00.000Z';
    const values = currentExpiry(expiresAt, { maxDays: null, now });
    expect(getExpiry(values, { maxDays: null, now })?.toISOString()).toBe(expiresAt);
    expect(currentExpiry(undefined, { maxDays: null, now })).toMatchObject({ lifetime: 'never' });
  });

  it.each([
    ['an expired key', '2026-02-01T12:00:00.000Z', null, '30'],
    ['an expired key with a limit', '2026-02-01T12:00:00.000Z', 7, '7'],
    ['a key without expiry where keys must expire', undefined, 365, '30'],
  ])('should be the shortest option for %s', (_key, expiresAt, maxDays, expected) => {
    expect(currentExpiry(expiresAt, { maxDays, now })).toMatchObject({ lifetime: expected });
  });
});

describe('getExpiry', () => {
  const expiryWith = (lifetime: string, maxDays: number | null = null) =>
    getExpiry({ lifetime, expiresAt: toLocalField(now) }, { maxDays, now })?.toISOString();

  it('should return undefined for never', () => {
    expect(expiryWith('never')).toBeUndefined();
  });

  it('should count days of 24 hours', () => {
    expect(expiryWith('30')).toBe('2026-03-31T12:00:00.000Z');
    expect(expiryWith('30', 90)).toBe('2026-03-31T12:00:00.000Z');
  });

  it('should subtract a minute for clock differences if the limit is chosen', () => {
    expect(expiryWith('90', 90)).toBe('2026-05-30T11:59:00.000Z');
  });

  it('should interpret a custom date in the local time zone', () => {
    expect(expiryWith('custom')).toBe('2026-03-01T12:00:00.000Z');
  });
});

describe('checkExpiry', () => {
  const checkField = (expiresAt: string, maxDays: number | null = null) =>
    checkExpiry({ lifetime: 'custom', expiresAt }, { maxDays, now });
  const check = (time: number, maxDays?: number) => checkField(toLocalField(time), maxDays);

  it('should accept all options', () => {
    for (const { value } of lifetimeChoices(90).filter(({ value }) => value !== 'custom')) {
      expect(checkExpiry({ lifetime: value, expiresAt: '' }, { maxDays: 90, now })).toBeUndefined();
    }
  });

  it('should accept a future time up to the limit', () => {
    expect(check(now + 60_000)).toBeUndefined();
    expect(check(now + 7 * 86_400_000, 7)).toBeUndefined();
  });

  it('should reject the current time and the past', () => {
    expect(check(now)).toBe('Choose a time in the future.');
    expect(check(now - 86_400_000)).toBe('Choose a time in the future.');
  });

  it('should name the latest time allowed by the limit', () => {
    const latest = minuteTime('2026-03-08T12:00:00Z');
    expect(check(now + 7 * 86_400_000 + 60_000, 7)).toBe(`Choose a time no later than ${latest}.`);
  });

  it("should reject years that the service doesn't support", () => {
    expect(checkField('3001-01-01T00:00')).toBe('Choose a year up to 2999.');
  });

  it.each(['', '2026-13-01T00:00', 'soon'])('should reject %j', (expiresAt) => {
    expect(checkField(expiresAt)).toBe('Enter both a date and a time.');
  });
});
