import { checkName } from './check-name.js';

describe('checkName', () => {
  it.each(['ab', ' ab ', 'Key manager', '🔑🔑', 'x'.repeat(100), '🔑'.repeat(100)])('should take %j', (name) => {
    expect(checkName(name)).toBeNull();
  });

  it.each(['', ' ', 'a', ' a ', '🔑'])('should say that %j is too short', (name) => {
    expect(checkName(name)).toBe('Use at least 2 characters.');
  });

  it('should say that a name is too long, and how long it is', () => {
    expect(checkName('🔑'.repeat(101))).toBe('Use at most 100 characters: these are 101.');
  });

  it.each(['a\tb', 'a\u0000b', 'a\u009fb', 'a\ud83d'])('should not take %j, which cannot be shown', (name) => {
    expect(checkName(name)).toBe('Leave out control characters.');
  });
});
