import type { LimitState } from '../../api/schema.js';
import { type LimitRow, toRows } from './limit-rows.js';
import { warnOfKeys, warnOfPrices, warnOfUse } from './warn-of-limit.js';

const state: LimitState = {
  metric: 'requests',
  per: 'day',
  max: 100,
  used: 26,
  reserved: 0,
  estimated: 0,
  remaining: 74,
  resetsAt: '2026-03-02T00:00:00.000Z',
  isIncreased: false,
};
const perMinute: LimitState = { ...state, per: 'minute' };
const cost: LimitState = { ...state, metric: 'cost', max: '25', used: '20.000000001', remaining: '4.999999999' };
const running: LimitState = { ...state, metric: 'concurrency', per: undefined, used: 3, resetsAt: null };
const now = Date.parse('2026-03-01T12:00:00.000Z');
const states = [state, perMinute, cost, running];

describe('warnOfUse', () => {
  const warning = (limit: LimitState, max: number | string) => {
    const [row] = toRows([limit]) as [LimitRow];
    return warnOfUse({ ...row, max }, states, 'EUR', { now });
  };

  it('should warn of a limit that is already used up', () => {
    expect(warning(state, 3)).toBe('26 already used, so requests are rejected until it resets.');
    expect(warning(perMinute, 26)).toBe('26 already used, so requests are rejected until it refills.');
    expect(warning(running, 3)).toBe('3 running, so requests are rejected until one ends.');
    expect(warning(cost, '20.00')).toBe('€20.00 already used, so requests are rejected until it resets.');
  });

  it('should say nothing of limits that have something left, are incomplete or are new', () => {
    expect(warning(state, 27)).toBeUndefined();
    expect(warning(state, '')).toBeUndefined();
    expect(warning(cost, '20.000000002')).toBeUndefined();
    expect(warning(cost, '1.2.3')).toBeUndefined();
    expect(warning({ ...state, metric: 'pages' }, 3)).toBeUndefined();
    expect(warning({ ...state, models: ['small'] }, 3)).toBeUndefined();
  });
});

describe('warnOfUse of a budget that a key does not have yet', () => {
  const [row] = toRows([{ metric: 'tokens', per: 'month', max: 500 }]) as [LimitRow];

  it('should warn of recorded usage', () => {
    expect(warnOfUse(row, states, 'EUR', { now, recorded: 500n })).toBe(
      '500 already used, so requests are rejected until it resets.',
    );
    expect(warnOfUse(row, states, 'EUR', { now, recorded: 499n })).toBeUndefined();
    expect(warnOfUse(row, states, 'EUR', { now, recorded: undefined })).toBeUndefined();
  });

  it('should count an increase until it ends', () => {
    const increase = { by: 100, until: '2026-03-01T13:00:00.000Z' };
    expect(warnOfUse({ ...row, increase }, [], 'EUR', { now, recorded: 599n })).toBeUndefined();
    expect(warnOfUse({ ...row, increase }, [], 'EUR', { now: now + 3_600_000, recorded: 599n })).toBeDefined();
  });
});

describe('warnOfKeys', () => {
  const keys = ['a', 'b', 'c', 'd', 'e'].map((name, index) => ({ name, used: BigInt(index) * 10n }));
  const warning = (limit: Parameters<typeof toRows>[0][number]) => {
    const [row] = toRows([limit]) as [LimitRow];
    return warnOfKeys(row, keys, ({ used }) => used, now);
  };

  it('should name the keys that have used a budget up', () => {
    expect(warning({ metric: 'pages', per: 'day', max: 40 })).toBe(
      '1 key has already used this much today: e. Its requests are rejected until the budget resets.',
    );
    expect(warning({ metric: 'requests', per: 'month', max: 1 })).toBe(
      '4 keys have already used this much this month: b, c, d and 1 more. Their requests are rejected until the budget resets.',
    );
  });

  it('should say nothing of budgets with something left, and of limits that refill', () => {
    expect(warning({ metric: 'pages', per: 'week', max: 41 })).toBeUndefined();
    expect(warning({ metric: 'pages', per: 'hour', max: 1 })).toBeUndefined();
    expect(warning({ metric: 'cost', per: 'day', max: '1' })).toBeUndefined();
  });
});

describe('warnOfPrices', () => {
  const served = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, price: id === 'a' ? { currency: 'USD' } : null }));

  it('should name models that a limit on costs makes unusable', () => {
    expect(warnOfPrices({ metric: 'cost', models: [] }, served)).toBe(
      'Requests to models without a price are rejected: b, c, d and 1 more.',
    );
    expect(warnOfPrices({ metric: 'cost', models: ['a', 'b'] }, served)).toBe(
      'Requests to models without a price are rejected: b.',
    );
  });

  it('should say nothing if all of its models have a price, or of other limits', () => {
    expect(warnOfPrices({ metric: 'cost', models: ['a'] }, served)).toBeUndefined();
    expect(warnOfPrices({ metric: 'tokens', models: [] }, served)).toBeUndefined();
  });
});
