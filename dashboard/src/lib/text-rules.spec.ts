import {
  checkEmailAddress,
  checkName,
  checkNewPassword,
  checkUnfinishedName,
  explainPasswordLength,
} from './text-rules.js';

describe('checkName', () => {
  it.each(['ab', ' ab ', 'Key manager', 'a'.repeat(100), '🔑🔑', '🔑'.repeat(100), '<img src=x>', '\tab\n'])(
    'should take %j',
    (name) => {
      expect(checkName(name)).toBeUndefined();
    },
  );

  it.each(['', ' ', 'a', ' a ', '🔑'])('should ask for more than %j', (name) => {
    expect(checkName(name)).toBe('Use at least 2 characters.');
  });

  it('should ask for less than 101 code points', () => {
    expect(checkName('🔑'.repeat(101))).toBe('Use at most 100 characters.');
  });

  it.each(['a\tb', 'a\u0000b', 'a\u202eb', 'a\u200bb', 'a\u3164b', 'a\u0085b', 'a\u009fb', 'a\ud83d', 'ab\ud800'])(
    'should not take %j, which cannot be shown',
    (name) => {
      expect(checkName(name)).toBe('Remove control characters, such as tabs, and other invisible characters.');
    },
  );
});

describe('checkUnfinishedName', () => {
  it('should not complain about a name that has just begun', () => {
    expect(checkUnfinishedName('')).toBeUndefined();
    expect(checkUnfinishedName('a')).toBeUndefined();
  });

  it('should complain at once about what further typing cannot heal', () => {
    expect(checkUnfinishedName('a'.repeat(101))).toBe('Use at most 100 characters.');
  });
});

describe('checkEmailAddress', () => {
  it.each(['ada@example.com', ' ada@example.com ', 'a@b', `${'a'.repeat(252)}@b`])('should accept %j', (text) => {
    expect(checkEmailAddress(text)).toBeUndefined();
  });

  it.each(['', 'ada', 'ada@', '@example.com', 'ada @example.com', 'ada@b@c', `${'a'.repeat(253)}@b`])(
    'should refuse %j',
    (text) => {
      expect(checkEmailAddress(text)).toBe('Enter an email, such as ada@example.com.');
    },
  );
});

describe('checkNewPassword', () => {
  const refusal = 'Use 12–256 characters, without control characters.';

  it.each([
    [11, refusal],
    [12, undefined],
    [256, undefined],
    [257, refusal],
  ])('should judge %d characters as the service does', (length, problem) => {
    expect(checkNewPassword('x'.repeat(length))).toBe(problem);
  });

  it('should count characters as a reader does', () => {
    expect(checkNewPassword('😀'.repeat(11))).toBe(refusal);
    expect(checkNewPassword('😀'.repeat(256))).toBeUndefined();
  });

  it.each(['\t', '\u0000', '\ud800'])('should refuse one with %j, which cannot be shown', (character) => {
    expect(checkNewPassword(`correct horse${character}battery`)).toBe(refusal);
  });

  it('should keep spaces, which count', () => {
    expect(checkNewPassword(' '.repeat(12))).toBeUndefined();
  });
});

describe('explainPasswordLength', () => {
  it.each([
    ['', '12 characters or more; a few words work well'],
    ['correct', '5 more characters'],
    ['correct hor', '1 more character'],
    ['correct horse', 'Long enough'],
    ['x'.repeat(257), 'At most 256 characters, without control characters'],
  ])('should say of %j: %s', (text, expected) => {
    expect(explainPasswordLength(text)).toBe(expected);
  });
});
