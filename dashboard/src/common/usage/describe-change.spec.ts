import { describeChange } from './describe-change.js';

describe('describeChange', () => {
  it.each([
    [112, 100, '+12.0% vs. the previous 7 days'],
    [75, 100, '−25.0% vs. the previous 7 days'],
    [1, 100, '−99.0% vs. the previous 7 days'],
    [1125, 1000, '+12.5% vs. the previous 7 days'],
    [1002, 1000, '+0.2% vs. the previous 7 days'],
    [10_001, 10_000, 'About the same as the previous 7 days'],
    [7, 7, 'About the same as the previous 7 days'],
    [399, 100, '+299.0% vs. the previous 7 days'],
    [400, 100, '4 times that of the previous 7 days'],
    [5000, 100, '50 times that of the previous 7 days'],
    [5, 0, 'None in the previous 7 days'],
    [0, 0, 'None in the previous 7 days'],
  ])('should compare %d with %d', (current, previous, expected) => {
    expect(describeChange(current, previous, 'the previous 7 days')).toBe(expected);
  });
});
