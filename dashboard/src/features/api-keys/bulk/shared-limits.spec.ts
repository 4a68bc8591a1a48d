import type { LimitSettings } from '../../../api/schema.js';
import { findSharedLimits, increasedOf, keysToChange, rangeOf } from './shared-limits.js';

const perDay: LimitSettings = { metric: 'requests', per: 'day', max: 100 };
const running: LimitSettings = { metric: 'concurrency', max: 5 };
const budget: LimitSettings = { metric: 'cost', per: 'month', max: '20.5' };
const until = '2026-12-05T18:00:00.000Z';
const increase = { by: '5', until };

interface Key {
  name: string;
  limits?: LimitSettings[];
}

const a: Key = { name: 'a', limits: [perDay, running, { ...budget, max: '9.25', increase }] };
const b: Key = { name: 'b', limits: [{ ...perDay, max: 50 }, budget] };
const c: Key = { name: 'c', limits: [{ ...perDay, models: ['small', 'large'] }, perDay] };
const keys: Key[] = [a, b, c, { name: 'd', limits: [] }, { name: 'e' }];

describe('findSharedLimits', () => {
  it('should find the limits that keys share apart from their maximum: costs first, then the most common', () => {
    const found = findSharedLimits(keys).map(({ metric, per, models, owners }) => ({
      ...{ metric, per, models },
      owners: owners.map(({ key, limit }) => [key.name, limit.max]),
    }));
    const ofAll = { models: undefined };
    expect(found).toEqual([
      {
        ...{ metric: 'cost', per: 'month', ...ofAll },
        owners: [
          ['a', '9.25'],
          ['b', '20.5'],
        ],
      },
      {
        ...{ metric: 'requests', per: 'day', ...ofAll },
        owners: [
          ['a', 100],
          ['b', 50],
          ['c', 100],
        ],
      },
      { metric: 'concurrency', per: undefined, ...ofAll, owners: [['a', 5]] },
      { metric: 'requests', per: 'day', models: ['small', 'large'], owners: [['c', 100]] },
    ]);
  });

  it('should take models in any order for the same limit', () => {
    const sorted = { name: 'sorted', limits: [{ ...perDay, models: ['large', 'small'] }] };
    expect(findSharedLimits([c, sorted])[0]?.owners).toHaveLength(2);
  });
});

describe('rangeOf', () => {
  it('should be the lowest and the highest maximum, without increases', () => {
    const [cost, requests] = findSharedLimits(keys);
    expect(cost && rangeOf(cost)).toEqual([9_250_000_000n, 20_500_000_000n]);
    expect(requests && rangeOf(requests)).toEqual([50n, 100n]);
  });
});

describe('The keys with an increase', () => {
  it('should include those whose increase has ended, unless others are asked for', () => {
    const [cost] = findSharedLimits(keys);
    const namesAt = (time?: number) => cost && increasedOf(cost, time).map(({ key }) => key.name);
    expect(namesAt()).toEqual(['a']);
    expect(namesAt(Date.parse(until) - 1)).toEqual(['a']);
    expect(namesAt(Date.parse(until))).toEqual([]);
  });

  it('should be the only ones that change if increases are removed', () => {
    const [cost] = findSharedLimits(keys);
    expect(cost && keysToChange(cost, { isRemoval: false })).toEqual([a, b]);
    expect(cost && keysToChange(cost, { isRemoval: true })).toEqual([a]);
  });
});
