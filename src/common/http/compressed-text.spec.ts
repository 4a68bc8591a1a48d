import { acceptedEncodings } from './compressed-text.js';

describe('acceptedEncodings', () => {
  it.each([
    ['gzip, deflate, br', ['gzip', 'deflate', 'br']],
    ['br;q=0.5, GZIP;q=1.0', ['br', 'gzip']],
    ['br;q=0, gzip; q=0.000, deflate ; Q=0.1', ['deflate']],
    ['brotli-like', ['brotli-like']],
    ['', ['']],
  ])('should read %j', (header, encodings) => {
    expect(acceptedEncodings(header)).toEqual(encodings);
  });
});
