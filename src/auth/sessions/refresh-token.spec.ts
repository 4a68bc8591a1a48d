import {
  formatRefreshToken,
  generateNonce,
  generateRefreshToken,
  hashPart,
  parseRefreshToken,
  successorOf,
} from './refresh-token.js';

describe('A refresh token', () => {
  it('should be 512 random bits that survive formatting and parsing', () => {
    const token = generateRefreshToken();
    const text = formatRefreshToken(token);
    expect(text).toMatch(/^[\w-]{43}\.[\w-]{43}$/);
    expect(parseRefreshToken(text)).toEqual(token);
    expect(formatRefreshToken(generateRefreshToken())).not.toBe(text);
  });

  it.each(['', '.', 'x', 'x'.repeat(43), `${'x'.repeat(43)}.${'x'.repeat(42)}`, `${'x'.repeat(43)}.${'+'.repeat(43)}`])(
    'should not be parsed from %j',
    (text) => {
      expect(parseRefreshToken(text)).toBeUndefined();
    },
  );

  it('should have one successor per nonce, with the same family and another secret', () => {
    const token = generateRefreshToken();
    const nonce = generateNonce();
    const successor = successorOf(token, nonce);
    expect(successorOf(token, nonce)).toEqual(successor);
    expect(successor.family).toEqual(token.family);
    expect(successor.secret).toHaveLength(32);
    expect(successor.secret).not.toEqual(token.secret);
    expect(successorOf(token, generateNonce())).not.toEqual(successor);
  });

  it("should have a successor that can't be derived from what is stored", () => {
    const token = generateRefreshToken();
    const nonce = generateNonce();
    const stored = { family: hashPart(token.family), secret: hashPart(token.secret) };
    expect(successorOf(stored, nonce).secret).not.toEqual(successorOf(token, nonce).secret);
  });
});
