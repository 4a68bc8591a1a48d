import { matchingTags } from './matching-tags.js';

const tags = ['env:production', 'production eu', 'production', 'staging'];

describe('matchingTags', () => {
  it('should find tags by a part of them, the same one and those that start with it first', () => {
    expect(matchingTags(tags, 'production')).toEqual(['production', 'production eu', 'env:production']);
  });

  it('should ignore case and spaces, as stored tags do', () => {
    expect(matchingTags(tags, ' Production  EU ')).toEqual(['production eu']);
  });

  it('should find nothing without a text', () => {
    expect(matchingTags(tags, ' ')).toEqual([]);
  });
});
