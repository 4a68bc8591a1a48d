import type { LimitSettings } from '../../../api/schema.js';
import { toRows } from '../../../common/limits/limit-rows.js';
import { warnOfLostOptions } from './warn-of-lost-options.js';

const now = Date.parse('2026-11-20T12:00:00Z');
const budget: LimitSettings = { metric: 'cost', per: 'month', max: '20' };
const noticed: LimitSettings = { ...budget, notifyAt: [80, 100] };
const increased: LimitSettings = { ...budget, increase: { by: '5', until: '2026-11-21T00:00:00.000Z' } };
const entered: LimitSettings = { ...budget, max: '15' };

describe('warnOfLostOptions', () => {
  it('should name the alerts that a key loses when its limit is replaced', () => {
    const keys = [{ name: 'Billing bot', limits: [noticed] }, { name: 'Search', limits: [budget] }, { name: 'New' }];
    const warn = (limit: LimitSettings) => warnOfLostOptions(keys, toRows([limit]), now);
    expect(warn(entered)).toEqual(['Billing bot loses its alerts at 80%, 100%.']);
    expect(warn({ ...entered, notifyAt: [80] })).toEqual(['Billing bot loses its alert at 100%.']);
    expect(warn({ ...entered, notifyAt: [50, 80, 100] })).toEqual([]);
  });

  it('should name the keys if several lose alerts', () => {
    const keys = ['a', 'b', 'c', 'd'].map((name) => ({ name, limits: [noticed] }));
    expect(warnOfLostOptions(keys, toRows([entered]), now)).toEqual(['a, b, c and 1 more lose alerts.']);
  });

  it('should name the keys that lose an increase that has not ended', () => {
    const keys = [{ name: 'Billing bot', limits: [increased] }];
    const warn = (limit: LimitSettings, time = now) => warnOfLostOptions(keys, toRows([limit]), time);
    expect(warn(entered)).toEqual(['Billing bot loses its temporary increase.']);
    expect(warn({ ...increased, max: '15' })).toEqual([]);
    expect(warn(entered, Date.parse('2026-11-22T00:00:00Z'))).toEqual([]);
  });

  it('should leave out limits that stay', () => {
    const keys = [{ name: 'Billing bot', limits: [noticed] }];
    expect(
      warnOfLostOptions(
        keys,
        toRows([
          { ...entered, per: 'day' },
          { ...entered, models: ['small'] },
        ]),
        now,
      ),
    ).toEqual([]);
    expect(warnOfLostOptions(keys, [], now)).toEqual([]);
  });
});
