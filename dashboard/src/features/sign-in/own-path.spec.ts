import { encodePath, isOwnPath } from './own-path.js';

describe('isOwnPath', () => {
  it.each(['/dashboard/keys?name=a&page=2', '/', '/dashboard/keys?name=//b'])('should take %s', (path) => {
    expect(isOwnPath(path)).toBe(true);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    'https://evil.example',
    'keys',
    '',
  ])('should refuse %j', (path) => {
    expect(isOwnPath(path)).toBe(false);
  });
});

describe('encodePath', () => {
  it.each([
    ['/dashboard/keys?name=Zoë "1"\\', '/dashboard/keys?name=Zo%C3%AB%20%221%22%5C'],
    ['/dashboard/keys?name=Zo%C3%AB#top', '/dashboard/keys?name=Zo%C3%AB#top'],
  ])('should make %j fit to be sent', (path, encoded) => {
    expect(encodePath(path)).toBe(encoded);
  });
});
