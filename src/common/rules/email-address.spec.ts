import fc from 'fast-check';
import { isEmailAddress, normalizeEmail } from './email-address.js';

const kelvinSign = '\u212a';

describe('normalizeEmail', () => {
  it.each([
    ['Ada@Example.com', 'ada@example.com'],
    ['  ada@example.com\n', 'ada@example.com'],
    ['ZOË@example.com', 'zoë@example.com'],
  ])('should normalize %j to %j', (email, expected) => {
    expect(normalizeEmail(email)).toBe(expected);
  });

  it.each([kelvinSign + 'ate@example.com', 'ｋate@example.com', 'kate@e\u212bample.com', 'ﬁnn@example.com'])(
    "should not map %j to someone else's email",
    (email) => {
      expect(normalizeEmail(email)).toBe(email);
      expect(isEmailAddress(email)).toBe(false);
    },
  );

  it('should map a text to ASCII only if it is ASCII itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 8 }), (text) => {
        const isAscii = (value: string) => /^[\0-\x7f]*$/.test(value);
        expect(isAscii(normalizeEmail(text))).toBe(isAscii(text.trim()));
      }),
      { numRuns: 2000, examples: [[kelvinSign], ['\u0130'], ['\u017f'], ['\uff4b']] },
    );
  });

  it('should leave its own result unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 8 }), (text) => {
        expect(normalizeEmail(normalizeEmail(text))).toBe(normalizeEmail(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('isEmailAddress', () => {
  it.each(['ada@example.com', 'a@b', 'o’hara@example.com', '用户@例子.广告', 'zoë@example.com'])(
    'should accept %j',
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'a@b@c',
    'a da@example.com',
    'ada@exam\u0000ple.com',
    'ada@exam\u202eple.com',
    'ada@exam\u200bple.com',
    'ada@exam\u3164ple.com',
    'ada@\ud800.com',
    `${'a'.repeat(250)}@b.com`,
  ])('should reject %j', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });
});
