import { describeLanguages, findTextProblems, isLong, shorten } from './texts.js';

describe('findTextProblems', () => {
  it('should report empty and blank texts', () => {
    const problems = findTextProblems({ texts: ['a', '', ' \n'] });
    expect(Object.keys(problems)).toEqual(['texts.1', 'texts.2']);
  });

  it('should accept other texts', () => {
    expect(findTextProblems({ texts: ['a', ' b '] })).toEqual({});
  });
});

describe('shorten', () => {
  it('should keep short texts and join their lines', () => {
    expect(shorten(' two\nlines ', 10)).toBe('two lines');
  });

  it('should truncate long texts between words', () => {
    expect(shorten('one two three four', 12)).toBe('one two…');
  });

  it('should truncate a long word', () => {
    expect(shorten('abcdefghijkl', 6)).toBe('abcde…');
  });

  it('should never split a surrogate pair', () => {
    expect(shorten('😀😀😀😀', 3)).toBe('😀😀…');
  });
});

describe('isLong', () => {
  it('should be true beyond 200 words', () => {
    expect(isLong(`\n${'word '.repeat(200)}`)).toBe(false);
    expect(isLong('word '.repeat(200) + 'word')).toBe(true);
  });
});

describe('describeLanguages', () => {
  it('should name the languages', () => {
    expect(describeLanguages(['en', 'de'])).toBe('Trained for English, German');
  });

  it('should say nothing if they are unknown', () => {
    expect(describeLanguages(null)).toBeUndefined();
  });
});
