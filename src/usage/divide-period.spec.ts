import { dividePeriod, slotsOf } from './divide-period.js';
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

describe('slotsOf', () => {
  it.each<[SlotLength, string, string, [string, number, number][]]>([
    [
      'hour',
      '2026-11-20T22:00',
      '2026-11-22T05:00',
      [
        ['2026-11-20', 22, 24],
        ['2026-11-21', 0, 24],
        ['2026-11-22', 0, 5],
      ],
    ],
    [
      'day',
      '2026-01-30T23:00',
      '2026-03-03T09:00',
      [
        ['2026-01-01', 30, 31],
        ['2026-02-01', 0, 28],
        ['2026-03-01', 0, 2],
      ],
    ],
    [
      'month',
      '2025-12-01T00:00',
      '2026-03-01T00:00',
      [
        ['2025-01-01', 11, 12],
        ['2026-01-01', 0, 2],
      ],
    ],
  ])('should return the slots of each row: %s', (length, from, to, expected) => {
    const ranges = slotsOf({ length, from: new Date(`${from}:00Z`), to: new Date(`${to}:00Z`) });
    const toDate = (start: Date) => start.toISOString().slice(0, 10);
    expect(ranges.map(({ start, first, end }) => [toDate(start), first, end])).toEqual(expected);
  });
});
