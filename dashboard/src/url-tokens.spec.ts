import { readLinkToken } from './url-tokens.js';

describe('readLinkToken', () => {
  it.each([
    ['token=abc', 'abc'],
    ['token=', undefined],
    ['', undefined],
  ])('should read %j as %j', (hash, expected) => {
    expect(readLinkToken({ hash })).toBe(expected);
  });
});
