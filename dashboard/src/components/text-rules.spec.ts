import { explainPasswordLength, isEmailAddress, isNewPassword } from './text-rules.js';

describe('isEmailAddress', () => {
  it.each(['ada@example.com', ' ada@example.com ', 'a@b', `${'a'.repeat(252)}@b`])('should accept %j', (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each(['', 'ada', 'ada@', '@example.com', 'ada @example.com', 'ada@b@c', `${'a'.repeat(253)}@b`])(
    'should refuse %j',
    (text) => {
      expect(isEmailAddress(text)).toBe(false);
    },
  );
});

describe('isNewPassword', () => {
  it.each([
    [11, false],
    [12, true],
    [256, true],
    [257, false],
  ])('should judge %d characters as the service does', (length, isAccepted) => {
    expect(isNewPassword('x'.repeat(length))).toBe(isAccepted);
  });

  it('should count characters as a reader does', () => {
    expect(isNewPassword('😀'.repeat(11))).toBe(false);
    expect(isNewPassword('😀'.repeat(256))).toBe(true);
  });

  it.each(['\t', '\u0000', '\ud800'])('should refuse one with %j, which cannot be shown', (character) => {
    expect(isNewPassword(`correct horse${character}battery`)).toBe(false);
  });

  it('should keep spaces, which count', () => {
    expect(isNewPassword(' '.repeat(12))).toBe(true);
  });
});

describe('explainPasswordLength', () => {
  it.each([
    ['', '12 characters or more; a few words work well'],
    ['correct', '5 more characters'],
    ['correct hor', '1 more character'],
    ['correct horse', 'Long enough'],
    ['x'.repeat(257), 'At most 256 characters, all of them printable'],
  ])('should say of %j: %s', (text, expected) => {
    expect(explainPasswordLength(text)).toBe(expected);
  });
});
