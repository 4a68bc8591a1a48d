import { toTimeRange } from './search.js';

describe('toTimeRange', () => {
  it('should include the whole last day', () => {
    const { from = '', to = '' } = toTimeRange({ from: '2026-11-20', to: '2026-11-21' });
    expect(new Date(from)).toEqual(new Date(2026, 10, 20));
    expect(new Date(to)).toEqual(new Date(2026, 10, 22));
  });

  it('should include the whole last minute', () => {
    const { from = '', to = '' } = toTimeRange({ from: '2026-11-20T09:30', to: '2026-11-20T09:45' });
    expect(new Date(from)).toEqual(new Date(2026, 10, 20, 9, 30));
    expect(new Date(to)).toEqual(new Date(2026, 10, 20, 9, 46));
  });

  it('should leave open ends open', () => {
    expect(toTimeRange({})).toEqual({ from: undefined, to: undefined });
  });
});
