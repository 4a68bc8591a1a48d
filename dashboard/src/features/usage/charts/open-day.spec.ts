import { dayOfStart, describeOpening, hasDaysToOpen } from './open-day.js';

const steps = { interval: 'day', timeZone: 'Asia/Tokyo' } as const;
const [yesterday, today] = ['2026-11-27T15:00:00.000Z', '2026-11-28T15:00:00.000Z'];

describe('hasDaysToOpen', () => {
  it.each([
    ['several days', [yesterday, today], 'day', true],
    ['a single day', [today], 'day', false],
    ['hours', [yesterday, today], 'hour', false],
    ['nothing', [], 'day', false],
  ] as const)('should return for %s: %j by %s %s', (_title, starts, interval, expected) => {
    expect(hasDaysToOpen({ starts: [...starts] }, { interval })).toBe(expected);
  });
});

describe('dayOfStart', () => {
  it('should be the day in the time zone of the chart', () => {
    expect(dayOfStart(today, steps)).toBe('2026-11-29');
  });
});

describe('describeOpening', () => {
  it('should only promise hours that are still kept', () => {
    const now = new Date('2026-11-29T10:00:00Z');
    expect(describeOpening(yesterday, steps, now)).toBe('to see this day by hour');
    expect(describeOpening('2026-10-25T15:00:00.000Z', steps, now)).toBe('to see this day by hour');
    expect(describeOpening('2026-10-24T15:00:00.000Z', steps, now)).toBe('to see this day');
  });
});
