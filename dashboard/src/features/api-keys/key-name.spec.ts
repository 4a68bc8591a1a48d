import { checkKeyName, checkUnfinishedKeyName } from './key-name.js';

describe('checkKeyName', () => {
  it.each(['ab', ' ab ', 'a'.repeat(100), '🔑🔑', '🔑'.repeat(100), '<img src=x>', '\tab\n'])(
    'should take %j',
    (name) => {
      expect(checkKeyName(name)).toBeUndefined();
    },
  );

  it.each(['', ' ', 'a', ' a ', '🔑'])('should ask for more than %j', (name) => {
    expect(checkKeyName(name)).toBe('Use at least 2 characters.');
  });

  it('should ask for less than 101 code points', () => {
    expect(checkKeyName('🔑'.repeat(101))).toBe('Use at most 100 characters.');
  });

  it.each(['a\tb', 'a\u0000b', 'a\u0085b', 'ab\ud800'])('should refuse the control characters of %j', (name) => {
    expect(checkKeyName(name)).toBe('Leave out control characters, such as tabs.');
  });
});

describe('checkUnfinishedKeyName', () => {
  it('should not complain about a name that has just begun', () => {
    expect(checkUnfinishedKeyName('')).toBeUndefined();
    expect(checkUnfinishedKeyName('a')).toBeUndefined();
  });

  it('should complain at once about what further typing cannot heal', () => {
    expect(checkUnfinishedKeyName('a'.repeat(101))).toBe('Use at most 100 characters.');
  });
});
