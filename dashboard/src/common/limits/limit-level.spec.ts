import type { LimitState } from '../../api/schema.js';
import { currentMax, levelOf } from './limit-level.js';

const state: LimitState = {
  metric: 'cost',
  per: 'month',
  max: '25',
  used: '19.999999999',
  reserved: '0',
  estimated: '0',
  remaining: '5.000000001',
  resetsAt: '2026-03-01T00:00:00.000Z',
  increase: { by: '5', until: '2026-02-20T00:00:00Z' },
  isIncreased: false,
};

describe('levelOf', () => {
  it.each([
    ['19.999999999', '5.000000001', 'normal'],
    ['20', '5', 'high'],
    ['24.999999999', '0.000000001', 'high'],
    ['25', '0', 'full'],
    ['26', '0', 'full'],
  ])('should be exact: %s used', (used, remaining, level) => {
    expect(levelOf({ ...state, used, remaining })).toBe(level);
  });

  it('should include an increase that applies', () => {
    const increased = { ...state, used: '25', remaining: '5', isIncreased: true };
    expect(levelOf(increased)).toBe('high');
    expect(currentMax(increased)).toBe(30_000_000_000n);
    expect(currentMax(state)).toBe(25_000_000_000n);
  });

  it('should be full if nothing is left, even if less than the maximum is used', () => {
    expect(levelOf({ ...state, metric: 'requests', max: 3, used: 2, remaining: 0, increase: undefined })).toBe('full');
  });
});
