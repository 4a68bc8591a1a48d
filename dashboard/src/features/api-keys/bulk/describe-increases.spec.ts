import type { LimitSettings } from '../../../api/schema.js';
import { minuteTime } from '../../../lib/format-time.js';
import { describeRemoval, describeSharedIncrease, nameSharedLimit } from './describe-increases.js';
import type { SharedLimit } from './shared-limits.js';

const until = '2026-12-05T18:00:00.000Z';
const end = minuteTime(until);
const now = Date.parse(until) - 1;

const budget: LimitSettings = { metric: 'cost', per: 'month', max: '10' };
const perDay: LimitSettings = { metric: 'requests', per: 'day', max: 1000 };
const running: LimitSettings = { metric: 'concurrency', max: 5 };

function share(limit: LimitSettings, ...others: Partial<LimitSettings>[]): SharedLimit<number> {
  const { metric, per, models } = limit;
  const owners = [limit, ...others.map((other) => ({ ...limit, ...other }))];
  return {
    metric,
    ...(per && { per }),
    ...(models && { models }),
    owners: owners.map((owned, key) => ({ key, limit: owned })),
  };
}

const describeIt = (shared: SharedLimit<number>, by: number | string, total = shared.owners.length, time = until) =>
  describeSharedIncrease(shared, { by, until: time }, { total, currency: 'EUR', now });

describe('nameSharedLimit', () => {
  it('should say what is limited, and how many keys have the limit', () => {
    expect(nameSharedLimit(share(budget, { max: '60' }))).toBe('Cost per month (2 keys)');
    expect(nameSharedLimit(share({ ...perDay, models: ['small'] }))).toBe('Requests per day for small (1 key)');
    expect(nameSharedLimit(share(running))).toBe('Concurrent requests (1 key)');
  });
});

describe('describeSharedIncrease', () => {
  it('should name the amount, the keys, the range of their limits and the end', () => {
    expect(describeIt(share(budget, { max: '60' }, { max: '7.5' }), '20')).toBe(
      `Adds €20.00 to the limits of 3 keys (€7.50 to €60.00 per month) until ${end}.`,
    );
    expect(describeIt(share(perDay, { max: 5000 }), 500)).toBe(
      `Adds 500 requests to the limits of 2 keys (1,000 to 5,000 requests per day) until ${end}.`,
    );
    expect(describeIt(share(running), 1)).toBe(
      `Adds 1 concurrent request to the limit of 1 key (5 concurrent requests) until ${end}.`,
    );
  });

  it('should count the keys without the limit, and those whose increase is replaced', () => {
    const increase = { by: '5', until };
    const ended = { by: '5', until: '2026-12-05T17:00:00.000Z' };
    expect(describeIt(share(budget, { increase }, { increase: ended }), '20', 4)).toBe(
      `Adds €20.00 to the limits of 3 keys (€10.00 per month) until ${end}. 1 other key has no such limit. Replaces the increase of 1 key.`,
    );
    expect(describeIt(share(budget, { increase }, { increase }), '20', 1003)).toMatch(
      /\. 1,000 other keys have no such limit\. Replaces the increase of 2 keys\.$/,
    );
  });

  it('should describe the limits while the amount or the time is missing, or the time is over', () => {
    const limits = '2 keys have this limit (€10.00 to €60.00 per month). 3 other keys have no such limit.';
    const shared = share(budget, { max: '60' });
    expect(describeIt(shared, '', 5)).toBe(limits);
    expect(describeIt(shared, 'five', 5)).toBe(limits);
    expect(describeIt(shared, '5', 5, '')).toBe(limits);
    expect(describeIt(shared, '5', 5, new Date(now).toISOString())).toBe(limits);
    expect(describeIt(share(budget), '')).toBe('1 key has this limit (€10.00 per month).');
  });
});

describe('describeRemoval', () => {
  it('should say what the limits of the keys with an increase are afterwards', () => {
    const increase = { by: '5', until };
    expect(describeRemoval(share(budget, { max: '60', increase }), 'EUR')).toBe(
      'Removes the increase of 1 key immediately. Its limit is €60.00 per month again.',
    );
    expect(describeRemoval(share({ ...budget, increase }, { max: '60' }), 'EUR')).toBe(
      'Removes the increase of 2 keys immediately. Their limits are €10.00 to €60.00 per month again.',
    );
  });
});
