import { createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * A refresh token in its two parts, 256 random bits each. All tokens of a session share the family, by which any of
 * its old tokens is recognised; the secret is new each time.
 */
export interface RefreshToken {
  family: Buffer;
  secret: Buffer;
}

const bytes = 32;
const wellFormed = /^([\w-]{43})\.([\w-]{43})$/;

/** The first token of a session. */
export function generateRefreshToken(): RefreshToken {
  return { family: randomBytes(bytes), secret: randomBytes(bytes) };
}

/** What has to be known, beside the preceding token, to make its successor. */
export function generateNonce(): Buffer {
  return randomBytes(bytes);
}

/**
 * The token that follows. Whoever sends the preceding one again within the grace gets the same successor, although
 * no token is stored: it is made from what the client holds and the nonce that the database holds, and neither is
 * enough alone.
 */
export function successorOf({ family, secret }: RefreshToken, nonce: Buffer): RefreshToken {
  return { family, secret: createHmac('sha256', secret).update(nonce).digest() };
}

/** The token as the cookie holds it: two times 43 characters, joined by a dot. */
export function formatRefreshToken({ family, secret }: RefreshToken): string {
  return `${family.toString('base64url')}.${secret.toString('base64url')}`;
}

/** The parts of a token; undefined when it has another form. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  const [, family, secret] = wellFormed.exec(text) ?? [];
  if (family === undefined || secret === undefined) return undefined;
  return { family: Buffer.from(family, 'base64url'), secret: Buffer.from(secret, 'base64url') };
}

/** What is stored of a part: SHA-256. 256 random bits need neither salt nor a slow hash. */
export function hashPart(part: Buffer): Buffer {
  return createHash('sha256').update(part).digest();
}
