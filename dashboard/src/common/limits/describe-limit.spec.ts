import { maxLimit } from '@rules/limit-rules.js';
import type { LimitState } from '../../api/schema.js';
import { minuteTime } from '../../lib/format-time.js';
import {
  describeAlerts,
  describeCalendar,
  describeFully,
  describeLimit,
  describeReset,
  describeUse,
  isLimit,
} from './describe-limit.js';

const state: LimitState = {
  metric: 'tokens',
  per: 'day',
  max: 2000,
  used: 1200,
  reserved: 0,
  estimated: 0,
  remaining: 800,
  resetsAt: '2026-01-31T00:00:00.000Z',
  isIncreased: false,
};
const budget = { metric: 'cost', per: 'month', max: '25' } as const;

describe('describeLimit', () => {
  it.each([
    [{ metric: 'requests', per: 'second', max: 1 }, '1 request per second'],
    [{ metric: 'tokens', per: 'day', max: maxLimit }, '1,000,000,000,000 tokens per day'],
    [{ metric: 'concurrency', max: 10 }, '10 concurrent requests'],
    [budget, '$25.00 per month'],
    [{ ...budget, max: '999999999.123456789' }, '$999,999,999.123456789 per month'],
    [{ ...budget, models: ['small', 'large'] }, '$25.00 per month for small, large'],
    [{ ...budget, models: ['a', 'b', 'c', 'd'] }, '$25.00 per month for a, b and 2 other models'],
  ] as const)('should describe %j', (limit, text) => {
    expect(
      describeLimit({ ...limit, models: 'models' in limit ? [...limit.models] : [] }, 'USD').replace('US', ''),
    ).toBe(text);
  });

  it('should leave out a currency that is not known', () => {
    expect(describeLimit(budget, undefined)).toBe('25.00 per month');
  });
});

describe('describeFully', () => {
  it('should have all that can change', () => {
    const until = '2026-12-01T00:00:00Z';
    const limit = { ...state, increase: { by: 500, until }, notifyAt: [80, 100] };
    expect(describeFully(limit, 'USD')).toBe(
      `2,000 tokens per day, 500 more until ${minuteTime(until)}, alerts at 80%, 100%`,
    );
  });
});

describe('describeAlerts', () => {
  it('should list the percentages, or say that there are no alerts', () => {
    expect(describeAlerts({ notifyAt: [80, 100] })).toBe('Alerts at 80%, 100%');
    expect(describeAlerts({ notifyAt: [] })).toBe('No alerts');
    expect(describeAlerts({})).toBe('No alerts');
  });
});

describe('describeCalendar', () => {
  const limits = [{ per: 'month' }, { per: 'minute' }, { per: 'day' }, {}] as const;

  it('should name the periods that begin in the time zone of the organization, unless that is UTC', () => {
    expect(describeCalendar(limits, 'Europe/Berlin')).toBe('Days and months begin at midnight in Europe/Berlin.');
    expect(describeCalendar(limits, 'UTC')).toBeUndefined();
    expect(describeCalendar([{ per: 'hour' }, {}], 'Europe/Berlin')).toBeUndefined();
  });
});

describe('isLimit', () => {
  it('should accept limits with and without a period, and nothing else', () => {
    expect([state, budget, { metric: 'concurrency', max: 3 }].map(isLimit)).toEqual([true, true, true]);
    const others = [null, 'cost', {}, { metric: 'cost' }, { metric: 'power', max: 3 }, { metric: 'cost', max: 'much' }];
    expect(others.map(isLimit)).toEqual(others.map(() => false));
  });
});

describe('describeUse', () => {
  it('should name what is used, and which parts of it may be returned or were never reported', () => {
    expect(describeUse(state, 'USD')).toBe('1,200 used');
    expect(describeUse({ ...state, reserved: 1100 }, 'USD')).toBe(
      '1,200 used, 1,100 of it reserved by running requests',
    );
    expect(describeUse({ ...state, reserved: 7, estimated: 20 }, 'USD')).toBe(
      '1,200 used, 7 of it reserved by running requests, 20 of it estimated',
    );
  });

  it('should have the currency of costs', () => {
    const cost = { ...state, ...budget, used: '12.5', reserved: '0.0025', estimated: '0', remaining: '12.5' };
    expect(describeUse(cost, 'EUR')).toBe('€12.50 used, €0.0025 of it reserved by running requests');
  });
});

describe('describeReset', () => {
  const now = Date.parse('2026-01-31T00:00:00.000Z');
  const stateOf = (per: LimitState['per'], used: number, seconds: number): LimitState => {
    const resetsAt = new Date(now + seconds * 1000).toISOString();
    return { ...state, metric: 'requests', per, max: 10, used, remaining: 10 - used, resetsAt };
  };

  it('should say when a budget resets, even if nothing is used', () => {
    expect(describeReset(stateOf('day', 0, 5 * 3600), now)).toBe('Resets in 5 hours');
    expect(describeReset(stateOf('week', 0, 3 * 86_400), now)).toBe('Resets in 3 days');
  });

  it('should count hours below two days', () => {
    expect(describeReset(stateOf('month', 0, 24 * 3600), now)).toBe('Resets in 24 hours');
    expect(describeReset(stateOf('month', 0, 32 * 3600), now)).toBe('Resets in 32 hours');
    expect(describeReset(stateOf('month', 0, 48 * 3600), now)).toBe('Resets in 2 days');
  });

  it('should say when a limit has refilled', () => {
    expect(describeReset(stateOf('minute', 5, 30), now)).toBe('Fully available again in 30 seconds');
    expect(describeReset(stateOf('second', 5, 0.5), now)).toBe('Fully available again in a few seconds');
  });

  it('should be undefined for an unused limit that refills, and for concurrent requests', () => {
    expect(describeReset(stateOf('minute', 0, 0), now)).toBeUndefined();
    expect(describeReset({ ...state, metric: 'concurrency', per: undefined, resetsAt: null }, now)).toBeUndefined();
  });
});
