import { checkIncrease, noIncrease, toIncreaseLimit, withTarget } from './increase-values.js';

const until = '2026-12-05T18:00';
const now = Date.parse(until) - 60_000;
const cost = { metric: 'cost', per: 'month' } as const;
const ofSmall = { metric: 'requests', per: 'day', models: ['small'] } as const;
const limits = [cost, { ...ofSmall, models: ['small'] }, { metric: 'cost', per: 'day' } as const];
const entered = { ...noIncrease, increase: { by: '20.00', until } };

describe('checkIncrease', () => {
  it('should accept an amount of the metric and a time in the future', () => {
    expect(checkIncrease(entered, limits, now)).toEqual({});
    expect(checkIncrease({ ...entered, target: 1, increase: { by: 5, until } }, limits, now)).toEqual({});
  });

  it('should name fields that are empty, of another metric, or over', () => {
    expect(checkIncrease(noIncrease, limits, now)).toEqual({
      'increases.increase.by': 'Enter an amount, such as 25.00.',
      'increases.increase.until': 'Enter both a date and a time.',
    });
    expect(checkIncrease({ ...entered, target: 1 }, limits, Date.parse(until))).toEqual({
      'increases.increase.by': 'Enter a whole number from 1 to 1,000,000,000,000.',
      'increases.increase.until': 'Choose a time in the future.',
    });
  });

  it('should need no fields to remove increases', () => {
    expect(checkIncrease({ ...noIncrease, isRemoval: true }, limits, now)).toEqual({});
  });
});

describe('withTarget', () => {
  it('should keep the time, and an amount that means the same', () => {
    expect(withTarget({ ...entered, isRemoval: true }, limits, 2)).toEqual({ ...entered, target: 2 });
    expect(withTarget(entered, limits, 1)).toEqual({ ...entered, target: 1, increase: { by: '', until } });
  });
});

describe('toIncreaseLimit', () => {
  it('should be the limit and its increase, or null to remove it', () => {
    const time = new Date(until).toISOString();
    expect(toIncreaseLimit(cost, entered)).toEqual({ ...cost, increase: { by: '20', until: time } });
    expect(toIncreaseLimit({ metric: 'concurrency' }, { ...entered, increase: { by: 5, until } })).toEqual({
      metric: 'concurrency',
      increase: { by: 5, until: time },
    });
    expect(toIncreaseLimit({ ...ofSmall, models: ['small'] }, { ...entered, isRemoval: true })).toEqual({
      ...ofSmall,
      increase: null,
    });
  });
});
