import { maxLimit, metrics, periodsOf } from '@rules/limit-rules.js';
import type { LimitState } from '../../api/schema.js';
import {
  changedLimits,
  describeLimit,
  describeReset,
  describeUse,
  limitRules,
  type LimitRow,
  newRow,
  readGroupedNumber,
  warnOfUse,
  withMetric,
} from './limits.js';

const perMinute: LimitRow = { metric: 'requests', per: 'minute', max: 60 };
const perDay: LimitRow = { metric: 'tokens', per: 'day', max: 1_000_000 };

describe('limitRules', () => {
  it.each([1, 60, maxLimit])('should accept a maximum of %p', (max) => {
    expect(limitRules.max(max)).toBeUndefined();
  });

  it.each(['', '-', 0, -1, 1.5, maxLimit + 1, '99999999999999999999'])('should reject a maximum of %p', (max) => {
    expect(limitRules.max(max)).toBe('Enter a whole number from 1 to 1,000,000,000,000.');
  });

  it('should reject only the second limit of the same metric and period', () => {
    const limits = [perMinute, perDay, { ...perMinute, max: 5 }];
    const errors = limits.map(({ per }, index) => limitRules.per(per, { limits }, `limits.${index}.per`));
    expect(errors).toEqual([undefined, undefined, 'There is already a limit on requests per minute.']);
  });
});

describe('newRow', () => {
  it('should offer each metric and period once', () => {
    const rows: LimitRow[] = [];
    for (let row = newRow(rows); row !== undefined; row = newRow(rows)) rows.push(row);
    const all = metrics.flatMap((metric) => periodsOf(metric).map((per) => `${metric}/${per}`));
    expect(rows.map(({ metric, per }) => `${metric}/${per}`).sort()).toEqual(all.sort());
    expect(rows[0]).toEqual({ ...perMinute, max: '' });
  });
});

describe('withMetric', () => {
  it('should keep the period unless it is only for requests', () => {
    expect(withMetric(perMinute, 'pages')).toEqual({ metric: 'pages', per: 'minute', max: 60 });
    expect(withMetric({ ...perMinute, per: 'second' }, 'tokens').per).toBe('minute');
  });
});

describe('changedLimits', () => {
  it('should be undefined for the same limits in another order', () => {
    expect(changedLimits([perDay, perMinute], [perMinute, perDay])).toBeUndefined();
  });

  it('should return all limits if one is changed, added or removed', () => {
    const faster = { ...perMinute, max: 120 };
    expect(changedLimits([faster], [perMinute])).toEqual([faster]);
    expect(changedLimits([perMinute, perDay], [perMinute])).toEqual([perMinute, perDay]);
    expect(changedLimits([], [perMinute])).toEqual([]);
  });
});

describe('describeLimit', () => {
  it('should read like a sentence, with thousands separators', () => {
    expect(describeLimit({ metric: 'requests', per: 'second', max: 1 })).toBe('1 request per second');
    expect(describeLimit({ metric: 'tokens', per: 'day', max: maxLimit })).toBe('1,000,000,000,000 tokens per day');
  });
});

describe('warnOfUse', () => {
  const state = (per: 'minute' | 'day') => ({
    metric: 'requests' as const,
    per,
    max: 100,
    used: 26,
    reserved: 0,
    estimated: 0,
    remaining: 74,
    resetsAt: '2026-03-02T00:00:00.000Z',
  });

  it('should warn of a limit that is already used up', () => {
    const warning = (per: 'minute' | 'day', max: number | string) =>
      warnOfUse({ metric: 'requests', per, max }, [state('minute'), state('day')]);
    expect(warning('day', 3)).toBe('26 already used, so requests are rejected until it resets.');
    expect(warning('minute', 26)).toBe('26 already used, so requests are rejected until it refills.');
    expect(warning('day', 27)).toBeUndefined();
    expect(warning('day', '')).toBeUndefined();
    expect(warnOfUse({ metric: 'pages', per: 'day', max: 3 }, [state('day')])).toBeUndefined();
  });
});

describe('describeUse', () => {
  const state: LimitState = {
    metric: 'tokens',
    per: 'day',
    max: 2000,
    used: 1200,
    reserved: 0,
    estimated: 0,
    remaining: 800,
    resetsAt: '2026-01-31T00:00:00.000Z',
  };

  it('should name what is used, and which parts of it may be returned or were never reported', () => {
    expect(describeUse(state)).toBe('1,200 used');
    expect(describeUse({ ...state, reserved: 1100 })).toBe('1,200 used, 1,100 of it reserved by running requests');
    expect(describeUse({ ...state, reserved: 7, estimated: 20 })).toBe(
      '1,200 used, 7 of it reserved by running requests, 20 of it estimated',
    );
  });
});

describe('describeReset', () => {
  const now = Date.parse('2026-01-31T00:00:00.000Z');
  const stateOf = (per: LimitState['per'], used: number, seconds: number): LimitState => {
    const resetsAt = new Date(now + seconds * 1000).toISOString();
    return { metric: 'requests', per, max: 10, used, reserved: 0, estimated: 0, remaining: 10 - used, resetsAt };
  };

  it('should say when a budget resets, even if nothing is used', () => {
    expect(describeReset(stateOf('day', 0, 5 * 3600), now)).toBe('Resets in 5 hours');
  });

  it('should say when a limit has refilled', () => {
    expect(describeReset(stateOf('minute', 5, 30), now)).toBe('Fully available again in 30 seconds');
    expect(describeReset(stateOf('second', 5, 0.5), now)).toBe('Fully available again in a few seconds');
  });

  it('should be undefined for an unused limit that refills', () => {
    expect(describeReset(stateOf('minute', 0, 0), now)).toBeUndefined();
  });
});

describe('readGroupedNumber', () => {
  it.each([
    ['1,000', 1000],
    ['1.000', 1000],
    [' 12\u202f500 ', 12_500],
    ["1'000'000", 1_000_000],
    ['1.000.000.000.000', 1_000_000_000_000],
  ])('should read %j as %d', (text, number) => {
    expect(readGroupedNumber(text)).toBe(number);
  });

  it.each(['1000', '1.5', '1.000,50', '1.000 000', '1000.000', '0.000.', 'a thousand', ''])(
    'should not read %j',
    (text) => {
      expect(readGroupedNumber(text)).toBeUndefined();
    },
  );
});
