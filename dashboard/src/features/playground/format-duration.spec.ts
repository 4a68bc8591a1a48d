import { formatDuration } from './format-duration.js';

describe('formatDuration', () => {
  it.each([
    { milliseconds: 0.2, text: '0 ms' },
    { milliseconds: 84.4, text: '84 ms' },
    { milliseconds: 999.7, text: '1.0 s' },
    { milliseconds: 1249, text: '1.2 s' },
  ])('should show $milliseconds as $text', ({ milliseconds, text }) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});
