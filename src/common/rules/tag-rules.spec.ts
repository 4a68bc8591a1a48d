import { isTag, normalizeTag } from './tag-rules.js';

describe('normalizeTag', () => {
  it.each([
    ['Production', 'production'],
    ['  Search \t team ', 'search team'],
    ['ＡＰＩ', 'api'],
    ['ÄRGER', 'ärger'],
    ['env:Prod/EU-1', 'env:prod/eu-1'],
  ])('should turn %j into %j', (text, tag) => {
    expect(normalizeTag(text)).toBe(tag);
    expect(isTag(tag)).toBe(true);
  });
});

describe('isTag', () => {
  it('should accept 1 to 50 characters, counting an emoji as one', () => {
    expect(isTag('a')).toBe(true);
    expect(isTag('😀'.repeat(50))).toBe(true);
    expect(isTag('')).toBe(false);
    expect(isTag('a'.repeat(51))).toBe(false);
  });

  it.each(['a,b', 'a\u0000b', 'a\u200bb', 'a\u202eb', '\ud800', 'Upper', ' a'])('should reject %j', (text) => {
    expect(isTag(text)).toBe(false);
  });
});
