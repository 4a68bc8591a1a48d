import fc from 'fast-check';
import { parseInstant } from './instant.js';

describe('parseInstant', () => {
  it.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:15.5Z', '2026-01-31T09:30:15.500Z'],
    ['2026-01-31T00:30:00+02:00', '2026-01-30T22:30:00.000Z'],
    ['2026-01-31T23:30:00-05:30', '2026-02-01T05:00:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('should parse %s', (text, expected) => {
    expect(parseInstant(text)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    'now',
    '2026-01-31',
    '2026-01-31T09:30:00',
    '2026-01-31 09:30:00Z',
    '2026-01-31T09:30:00 02:00',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:30:60Z',
    '2026-01-31T09:30:00+24:00',
    '2026-01-31T09:30:00+02:60',
    '1999-12-31T23:59:59Z',
    '3000-01-01T00:00:00Z',
    '+002026-01-31T09:30:00Z',
    '1769851800',
  ])('should reject %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('should parse what toISOString() returns', () => {
    const instant = fc.date({
      min: new Date('2000-01-01T00:00:00Z'),
      max: new Date('2999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(instant, (date) => expect(parseInstant(date.toISOString())).toEqual(date)));
  });
});
