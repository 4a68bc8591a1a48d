import { periodOf } from './period.js';

describe('periodOf', () => {
  it('should hold all of the last day', () => {
    const { from = '', to = '' } = periodOf({ from: '2026-11-20', to: '2026-11-21' });
    expect(new Date(from)).toEqual(new Date(2026, 10, 20));
    expect(new Date(to)).toEqual(new Date(2026, 10, 22));
  });

  it('should leave open what is open', () => {
    expect(periodOf({})).toEqual({ from: undefined, to: undefined });
  });
});
