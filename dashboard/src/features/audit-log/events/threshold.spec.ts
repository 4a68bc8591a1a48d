import { exactTime } from '../../../lib/format-time.js';
import { describeThreshold, readThreshold, thresholdDetails } from './threshold.js';

const after = {
  metric: 'cost',
  per: 'month',
  models: null,
  percent: 80,
  charged: '20.1',
  max: '25',
  periodStart: '2026-11-01T00:00:00.000Z',
};

describe('readThreshold', () => {
  it('should be undefined for values that this dashboard does not know', () => {
    const others = [null, {}, { ...after, metric: 'power' }, { ...after, percent: '80' }, { ...after, max: null }];
    expect(others.map(readThreshold)).toEqual(others.map(() => undefined));
  });
});

describe('describeThreshold', () => {
  it.each([
    [after, '80% of its budget of €25.00 per month'],
    [{ ...after, models: ['gpt-mini', 'small'] }, '80% of its budget of €25.00 per month for gpt-mini, small'],
    [{ ...after, metric: 'tokens', max: 1000, per: 'week' }, '80% of its budget of 1,000 tokens per week'],
  ])('should describe %j', (values, text) => {
    const threshold = readThreshold(values);
    expect(threshold && describeThreshold(threshold, 'EUR')).toBe(text);
  });
});

describe('thresholdDetails', () => {
  it('should name the budget, what was used, and when the period started', () => {
    const threshold = readThreshold(after);
    expect(threshold && thresholdDetails(threshold, 'EUR')).toEqual([
      { field: 'Budget', before: [], after: ['€25.00 per month'] },
      { field: 'Used', before: [], after: ['€20.10'] },
      { field: 'Period started', before: [], after: [exactTime(after.periodStart)] },
    ]);
  });

  it('should leave out what it cannot read', () => {
    const threshold = readThreshold({ ...after, charged: null, periodStart: 'November' });
    expect(threshold && thresholdDetails(threshold, 'EUR').map(({ field }) => field)).toEqual(['Budget']);
  });
});
