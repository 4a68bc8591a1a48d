import {
  checkEmail,
  checkName,
  checkNewPassword,
  checkUnfinishedName,
  explainPasswordLength,
  isTypedName,
} from './text-rules.js';

describe('checkName', () => {
  it.each(['ab', ' ab ', 'Key manager', 'a'.repeat(100), '🔑🔑', '🔑'.repeat(100), '<img src=x>', '\tab\n'])(
    'should accept %j',
    (name) => {
      expect(checkName(name)).toBeUndefined();
    },
  );

  it.each(['', ' ', 'a', ' a ', '🔑'])('should reject %j as too short', (name) => {
    expect(checkName(name)).toBe('Use at least 2 characters.');
  });

  it('should reject more than 100 code points', () => {
    expect(checkName('🔑'.repeat(101))).toBe('Use at most 100 characters.');
  });

  it.each(['a\tb', 'a\u0000b', 'a\u202eb', 'a\u200bb', 'a\u3164b', 'a\u0085b', 'a\u009fb', 'a\ud83d', 'ab\ud800'])(
    'should reject the invisible character in %j',
    (name) => {
      expect(checkName(name)).toBe('Remove tabs, control characters and invisible characters.');
    },
  );
});

describe('checkUnfinishedName', () => {
  it('should accept a name that is still too short', () => {
    expect(checkUnfinishedName('')).toBeUndefined();
    expect(checkUnfinishedName('a')).toBeUndefined();
  });

  it('should reject a name that is too long', () => {
    expect(checkUnfinishedName('a'.repeat(101))).toBe('Use at most 100 characters.');
  });
});

describe('checkEmail', () => {
  it.each(['ada@example.com', ' ada@example.com ', 'a@b', `${'a'.repeat(252)}@b`])('should accept %j', (text) => {
    expect(checkEmail(text)).toBeUndefined();
  });

  it.each(['', 'ada', 'ada@', '@example.com', 'ada @example.com', 'ada@b@c', `${'a'.repeat(253)}@b`])(
    'should reject %j',
    (text) => {
      expect(checkEmail(text)).toBe('Enter an email, such as ada@example.com.');
    },
  );
});

describe('checkNewPassword', () => {
  it.each([
    [11, 'Use at least 12 characters.'],
    [12, undefined],
    [256, undefined],
    [257, 'Use at most 256 characters.'],
  ])('should validate a password of %d characters like the service', (length, problem) => {
    expect(checkNewPassword('x'.repeat(length))).toBe(problem);
  });

  it('should count code points', () => {
    expect(checkNewPassword('😀'.repeat(11))).toBe('Use at least 12 characters.');
    expect(checkNewPassword('😀'.repeat(256))).toBeUndefined();
  });

  it.each(['\t', '\u0000', '\ud800'])('should reject the invisible character %j', (character) => {
    expect(checkNewPassword(`correct horse${character}battery`)).toBe('Remove tabs and control characters.');
  });

  it('should count spaces', () => {
    expect(checkNewPassword(' '.repeat(12))).toBeUndefined();
  });
});

describe('explainPasswordLength', () => {
  it.each([
    ['', 'At least 12 characters. A few random words work well.'],
    ['correct', '5 more characters'],
    ['correct hor', '1 more character'],
    ['correct horse', 'Long enough'],
    ['x'.repeat(257), 'Use at most 256 characters'],
    ['correct\thorse battery', 'Remove tabs and control characters'],
  ])('should describe %j as "%s"', (text, expected) => {
    expect(explainPasswordLength(text)).toBe(expected);
  });
});

describe('isTypedName', () => {
  it.each([
    ['Café', 'Cafe\u0301'],
    ['Ada Lovelace', 'Ada\u00a0Lovelace'],
    [' Ada ', 'Ada'],
    ['Delete 2 keys', 'delete 2 keys'],
  ])('should accept %j for %j', (typed, name) => {
    expect(isTypedName(typed, name)).toBe(true);
  });

  it.each([
    ['Cafe', 'Café'],
    ['Ada  Lovelace', 'Ada Lovelace'],
  ])('should reject %j for %j', (typed, name) => {
    expect(isTypedName(typed, name)).toBe(false);
  });
});
