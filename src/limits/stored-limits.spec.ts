import 'reflect-metadata';
import fc from 'fast-check';
import type { Limit } from './limit.js';
import { arbitraryLimit, identityOf } from '../../test/factories/arbitrary-limits.js';
import {
  increaseLimits,
  mergeLimits,
  showLimits,
  toShownAmount,
  toShownLimit,
  toStoredIncreases,
  toStoredLimits,
} from './stored-limits.js';

const lists = fc.uniqueArray(arbitraryLimit, { selector: identityOf, maxLength: 10 });

describe('toStoredLimits', () => {
  it('should store costs in billionths, models and percentages sorted, and times in UTC', () => {
    const limit = {
      metric: 'cost',
      per: 'month',
      max: '25.00',
      models: ['small', 'gpt-mini'],
      increase: { by: '0.000000001', until: '2026-12-01T02:00+02:00' },
      notifyAt: [100, 50, 80],
    } as const;
    expect(toStoredLimits([{ ...limit, models: [...limit.models], notifyAt: [...limit.notifyAt] }])).toEqual([
      {
        metric: 'cost',
        per: 'month',
        max: '25000000000',
        models: ['gpt-mini', 'small'],
        increase: { by: '1', until: '2026-12-01T00:00:00.000Z' },
        notifyAt: [50, 80, 100],
      },
    ]);
  });

  it('should store an empty list as null', () => {
    expect(toStoredLimits([])).toBeNull();
  });

  it('should store what it has stored again as the same', () => {
    fc.assert(
      fc.property(lists, (limits) => {
        const stored = toStoredLimits(limits);
        expect(toStoredLimits((stored ?? []).map(toShownLimit))).toEqual(stored);
      }),
    );
  });

  it('should keep the value of every amount', () => {
    fc.assert(
      fc.property(arbitraryLimit, (limit) => {
        const [shown] = (toStoredLimits([limit]) ?? []).map(toShownLimit);
        const parts = (amount: unknown) => {
          const [whole, fraction = ''] = String(amount).split('.');
          return [whole, fraction.padEnd(9, '0')];
        };
        expect(parts(shown?.max)).toEqual(parts(limit.max));
        expect(parts(shown?.increase?.by)).toEqual(parts(limit.increase?.by));
        if (limit.metric === 'cost') expect(shown?.max).not.toMatch(/\.\d*0$/);
        else expect(shown?.max).toBe(limit.max);
      }),
    );
  });
});

describe('mergeLimits', () => {
  it('should be null without limits, and the current ones without added ones', () => {
    const limits: Limit[] = [{ metric: 'requests', per: 'day', max: 5 }];
    expect(mergeLimits(null, null)).toBeNull();
    expect(mergeLimits(limits, null)).toEqual(limits);
    expect(mergeLimits(null, limits)).toEqual(limits);
  });

  it('should keep every added limit and every other one, each once and sorted', () => {
    fc.assert(
      fc.property(lists, lists, (currentLimits, addedLimits) => {
        const [current, added] = [toStoredLimits(currentLimits), toStoredLimits(addedLimits)];
        const identities = new Set(addedLimits.map(identityOf));
        const kept = currentLimits.filter((limit) => !identities.has(identityOf(limit)));
        expect(mergeLimits(current, added)).toEqual(toStoredLimits([...kept, ...addedLimits]));
      }),
    );
  });
});

describe('increaseLimits', () => {
  it('should replace the increases of the limits that count the same, and keep everything else', () => {
    fc.assert(
      fc.property(lists, lists, (currentLimits, otherLimits) => {
        const wanted = otherLimits.map(({ metric, per, models, increase = null }) => ({
          metric,
          ...(per !== undefined && { per }),
          models: models?.toReversed() ?? null,
          increase,
        }));
        const expected = currentLimits.map((limit) => {
          const { increase: own, ...plain } = limit;
          const other = otherLimits.find((candidate) => identityOf(candidate) === identityOf(limit));
          const increase = other === undefined ? own : other.increase;
          return increase === undefined ? plain : { ...plain, increase };
        });
        const increased = increaseLimits(toStoredLimits(currentLimits), toStoredIncreases(wanted));
        expect(increased).toEqual(toStoredLimits(expected));
      }),
    );
  });

  it('should be null without limits', () => {
    expect(increaseLimits(null, [{ metric: 'requests', per: 'day', increase: null }])).toBeNull();
  });
});

describe('toShownAmount', () => {
  it.each([
    ['1000000000000000000', '1000000000'],
    ['999999999999999999', '999999999.999999999'],
    ['1', '0.000000001'],
    ['0', '0'],
  ])('should write a cost of %s billionths as %s', (stored, shown) => {
    expect(toShownAmount('cost', stored)).toBe(shown);
  });
});

describe('showLimits', () => {
  it('should replace the limits of a change, and nothing else', () => {
    expect(showLimits({ name: 'A', limits: [{ metric: 'cost', per: 'day', max: '1000000000' }] })).toEqual({
      name: 'A',
      limits: [{ metric: 'cost', per: 'day', max: '1' }],
    });
    expect(showLimits({ limits: null })).toEqual({ limits: null });
    const others: { name: string; limits?: Limit[] } = { name: 'A' };
    expect(showLimits(others)).toEqual(others);
  });
});
