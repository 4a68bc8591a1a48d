import { labelWithoutTag, prefixesOf, readTagPrefix } from './tag-prefixes.js';

describe('prefixesOf', () => {
  it('should return each prefix once, in order', () => {
    expect(prefixesOf(['team:search', 'env:prod', 'eu', 'team:mail', 'cost center:a:b'])).toEqual([
      'cost center:',
      'env:',
      'team:',
    ]);
  });

  it('should leave out tags without a name or a value', () => {
    expect(prefixesOf([':search', 'team:', 'eu', ''])).toEqual([]);
  });
});

describe('readTagPrefix', () => {
  it.each([
    ['team:', 'team:'],
    [' TEAM:', 'team:'],
    ['team', undefined],
    ['a,b:', undefined],
    [7, undefined],
    [undefined, undefined],
  ])('should read %p as %p', (value, expected) => {
    expect(readTagPrefix(value)).toBe(expected);
  });
});

describe('labelWithoutTag', () => {
  it('should name the prefix', () => {
    expect(labelWithoutTag(undefined)).toBe('No tag');
    expect(labelWithoutTag('cost center:')).toBe('No cost center tag');
  });
});
