import type { LimitState } from '../../api/schema.js';
import { describeBudgets } from './describe-budgets.js';

const used: LimitState = {
  metric: 'tokens',
  per: 'month',
  max: 3000,
  used: 3100,
  reserved: 0,
  estimated: 0,
  remaining: 0,
  resetsAt: '2026-11-30T23:00:00.000Z',
  isIncreased: false,
};
const near: LimitState = { ...used, used: 2845, remaining: 155 };
const describeIn = (timeZone: string, ...limits: LimitState[]) => describeBudgets(limits, timeZone, 'USD');

describe('describeBudgets', () => {
  it('should say what a budget without a remainder does', () => {
    expect(describeIn('UTC', used)).toEqual([
      {
        level: 'full',
        title: "The organization's budget of 3,000 tokens per month is used up",
        advice: 'Requests are rejected until it resets or is raised.',
      },
    ]);
  });

  it('should say how much of a budget is used from 80% on, but not 100% while something is left', () => {
    expect(describeIn('UTC', near)).toEqual([
      {
        level: 'high',
        title: 'The organization has used 94.8% of its budget of 3,000 tokens per month',
        advice: "Once it's used up, requests are rejected until it resets or is raised.",
      },
    ]);
    expect(describeIn('UTC', { ...near, used: 2999, remaining: 1 })[0]?.title).toMatch('has used >99.9% of');
    expect(describeIn('UTC', { ...near, used: 2400, remaining: 600 })).toHaveLength(1);
    expect(describeIn('UTC', { ...near, used: 2399, remaining: 601 })).toEqual([]);
  });

  it('should name the time zone in which it resets, unless that is UTC', () => {
    expect(describeIn('Europe/Berlin', used)[0]?.advice).toBe(
      'Requests are rejected until it resets at midnight in Europe/Berlin or is raised.',
    );
  });

  it('should compare with the maximum including an increase', () => {
    const increase = { by: 3000, until: '2026-11-29T00:00:00.000Z' };
    const increased = { ...near, increase, isIncreased: true, remaining: 3181 };
    expect(describeIn('UTC', increased)).toEqual([]);
    expect(describeIn('UTC', { ...increased, used: 5400, remaining: 600 })[0]?.title).toBe(
      'The organization has used 90.0% of its budget of 6,000 tokens per month',
    );
  });

  it('should name budgets of some models, those that are used up first, and leave out limits that refill', () => {
    const limits = [near, { ...used, models: ['small'] }, { ...used, per: 'minute' as const }];
    expect(describeIn('UTC', ...limits).map(({ title }) => title)).toEqual([
      "The organization's budget of 3,000 tokens per month for small is used up",
      'The organization has used 94.8% of its budget of 3,000 tokens per month',
    ]);
  });
});
