import { encodePath, isLocalPath } from './return-path.js';

describe('isLocalPath', () => {
  it.each(['/dashboard/keys?name=a&page=2', '/', '/dashboard/keys?name=//b'])('should accept %s', (path) => {
    expect(isLocalPath(path)).toBe(true);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    'https://evil.example',
    'keys',
    '',
  ])('should reject %j', (path) => {
    expect(isLocalPath(path)).toBe(false);
  });
});

describe('encodePath', () => {
  it.each([
    ['/dashboard/keys?name=Zoë "1"\\', '/dashboard/keys?name=Zo%C3%AB%20%221%22%5C'],
    ['/dashboard/keys?name=Zo%C3%AB#top', '/dashboard/keys?name=Zo%C3%AB#top'],
  ])('should encode %j', (path, encoded) => {
    expect(encodePath(path)).toBe(encoded);
  });
});
