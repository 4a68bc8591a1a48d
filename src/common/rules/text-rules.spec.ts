import { isName, isNewPassword, makeVisible } from './text-rules.js';

const bidirectional = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'];
const isolates = ['\u2066', '\u2067', '\u2068', '\u2069'];
const others = [
  ...['\u00ad', '\u034f', '\u115f', '\u1160', '\u17b4', '\u180e', '\u200b', '\u2028', '\u2029', '\u2060'],
  ...['\u2063', '\u2800', '\u3164', '\ufeff', '\uffa0', '\ufff9', '\u{e0041}', '\u{e0100}', '\u{1d173}'],
  ...['\ufdd0', '\ufffe', '\uffff', '\u{1ffff}'],
];
const hidden = [...bidirectional, ...isolates, ...others];
const codePoint = (character: string) => `U+${character.codePointAt(0)?.toString(16)}`;

describe('isName', () => {
  it.each(hidden.map((character) => [codePoint(character), character]))(
    'should reject a name with %s',
    (_name, character) => {
      expect(isName(`Key${character}manager`)).toBe(false);
      expect(isName(character + character)).toBe(false);
    },
  );

  it.each(['ab', 'مدیریت\u200cکلید', 'क्\u200dष', '👩\u200d🔬👨\u200d🔬', '❤\ufe0f key', 'Zoë', '名前', 'a\u00a0b'])(
    'should accept %j',
    (name) => {
      expect(isName(name)).toBe(true);
    },
  );

  it.each(['a', 'a\u200d', '\u200d\u200d', '\u200c\ufe0f', 'a\tb', 'a\u0085b', 'ab\ud800', 'x'.repeat(101)])(
    'should reject %j',
    (name) => {
      expect(isName(name)).toBe(false);
    },
  );
});

describe('isNewPassword', () => {
  it.each(['x'.repeat(12), '😀'.repeat(256), ' '.repeat(12)])('should accept %j', (password) => {
    expect(isNewPassword(password)).toBe(true);
  });

  it.each([
    'x'.repeat(11),
    '😀'.repeat(257),
    'correct\nhorse battery',
    'correct\0horse battery',
    `${'x'.repeat(12)}\ud800`,
  ])('should reject %j', (password) => {
    expect(isNewPassword(password)).toBe(false);
  });
});

describe('makeVisible', () => {
  it.each(hidden.map((character) => [codePoint(character), character]))('should remove %s', (_name, character) => {
    expect(makeVisible(`${character}Ada ${character}Lovelace`)).toBe('Ada Lovelace');
  });

  it('should keep joiners, and replace control characters by spaces', () => {
    expect(makeVisible('👩\u200d🔬\tAda\ud800\n')).toBe('👩\u200d🔬 Ada');
  });
});
