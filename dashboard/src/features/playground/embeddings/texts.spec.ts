import { findTextProblems, shorten } from './texts.js';

describe('findTextProblems', () => {
  it('should find the texts that are empty or only spaces', () => {
    const problems = findTextProblems({ texts: ['a', '', ' \n'] });
    expect(Object.keys(problems)).toEqual(['texts.1', 'texts.2']);
  });

  it('should find nothing wrong with other texts', () => {
    expect(findTextProblems({ texts: ['a', ' b '] })).toEqual({});
  });
});

describe('shorten', () => {
  it('should leave short texts as they are, on one line', () => {
    expect(shorten(' two\nlines ', 10)).toBe('two lines');
  });

  it('should cut long texts between words', () => {
    expect(shorten('one two three four', 12)).toBe('one two…');
  });

  it('should cut a word that is too long by itself', () => {
    expect(shorten('abcdefghijkl', 6)).toBe('abcde…');
  });

  it('should never cut a character into halves', () => {
    expect(shorten('😀😀😀😀', 3)).toBe('😀😀…');
  });
});
