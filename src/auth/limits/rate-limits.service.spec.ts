import { describeWait } from './rate-limits.service.js';

describe('describeWait', () => {
  it.each([
    [1, '1 second'],
    [89, '89 seconds'],
    [90, '2 minutes'],
    [840, '14 minutes'],
    [841, '15 minutes'],
    [900, '15 minutes'],
  ])('should format %i seconds as %s', (seconds, words) => {
    expect(describeWait(seconds)).toBe(words);
  });
});
