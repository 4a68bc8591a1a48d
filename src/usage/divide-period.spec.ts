import { dividePeriod } from './divide-period.js';
import type { SlotLength } from './history/packed-usage.js';

/** Hours are kept from 2026-10-19. */
const now = new Date('2026-11-23T06:30:00Z');

const divide = (from: string, to: string, longest: SlotLength) =>
  dividePeriod({ from: new Date(`${from}:00Z`), to: new Date(`${to}:00Z`) }, longest, now).map((piece) =>
    [piece.length, piece.from.toISOString().slice(0, 13), piece.to.toISOString().slice(0, 13)].join(' '),
  );

describe('dividePeriod', () => {
  it.each<[string, string, string, SlotLength, string[]]>([
    [
      'months, and days and hours at its ends',
      '2026-10-30T05:00',
      '2026-11-23T07:00',
      'month',
      ['hour 2026-10-30T05 2026-10-31T00', 'day 2026-10-31T00 2026-11-01T00', 'month 2026-11-01T00 2026-12-01T00'],
    ],
    ['months only', '2025-12-01T00:00', '2026-03-01T00:00', 'month', ['month 2025-12-01T00 2026-03-01T00']],
    [
      'days of an old period that starts and ends within a day',
      '2026-01-30T23:00',
      '2026-04-02T22:00',
      'month',
      ['day 2026-01-30T23 2026-02-01T00', 'month 2026-02-01T00 2026-04-01T00', 'day 2026-04-01T00 2026-04-02T22'],
    ],
    ['days', '2026-09-01T00:00', '2026-11-24T00:00', 'day', ['day 2026-09-01T00 2026-11-24T00']],
    [
      'hours, and days where no hours are kept',
      '2026-09-30T22:00',
      '2026-11-22T23:00',
      'hour',
      ['day 2026-09-30T22 2026-10-19T00', 'hour 2026-10-19T00 2026-11-22T23'],
    ],
    ['hours of one day', '2026-11-22T03:00', '2026-11-22T05:00', 'month', ['hour 2026-11-22T03 2026-11-22T05']],
    [
      'hours up to a past hour',
      '2026-11-20T00:00',
      '2026-11-22T05:00',
      'month',
      ['day 2026-11-20T00 2026-11-22T00', 'hour 2026-11-22T00 2026-11-22T05'],
    ],
  ])('should return %s', (_title, from, to, longest, pieces) => {
    expect(divide(from, to, longest)).toEqual(pieces);
  });
});
