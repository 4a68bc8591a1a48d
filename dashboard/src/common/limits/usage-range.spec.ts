import { usageRangeOf } from './usage-range.js';

describe('usageRangeOf', () => {
  it('should be the current period of the longest budget', () => {
    expect(usageRangeOf([{ per: 'day' }, { per: 'month' }, { per: 'week' }], '2026-11-29')).toEqual({
      month: '2026-11',
    });
    expect(usageRangeOf([{ per: 'day' }], '2026-11-29')).toEqual({ from: '2026-11-29', to: '2026-11-29' });
    expect(usageRangeOf([{ per: 'minute' }, {}], '2026-11-29')).toBeUndefined();
  });

  it.each([
    ['2026-11-30', '2026-11-30'],
    ['2026-11-29', '2026-11-23'],
    ['2026-10-01', '2026-09-28'],
  ])('should begin the week of %s on Monday, %s', (today, from) => {
    expect(usageRangeOf([{ per: 'week' }], today)).toEqual({ from, to: today });
  });
});
