import { createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * A refresh token has two parts of 256 bits. All tokens of a session share the family, which identifies even its old
 * tokens; the secret is new each time.
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

/** Needed, in addition to a token, to derive its successor. */
export function generateNonce(): Buffer {
  return randomBytes(bytes);
}

/**
 * Derives the next token. Sending the previous token again within the grace period returns the same successor although
 * no token is stored: it is derived from the client's token and the database's nonce, and neither is enough alone.
 */
export function successorOf({ family, secret }: RefreshToken, nonce: Buffer): RefreshToken {
  return { family, secret: createHmac('sha256', secret).update(nonce).digest() };
}

/** Formats the token for the cookie: twice 43 base64url characters, joined by a dot. */
export function formatRefreshToken({ family, secret }: RefreshToken): string {
  return `${family.toString('base64url')}.${secret.toString('base64url')}`;
}

/** Parses a token; returns undefined if it is malformed. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  const [, family, secret] = wellFormed.exec(text) ?? [];
  if (family === undefined || secret === undefined) return undefined;
  return { family: Buffer.from(family, 'base64url'), secret: Buffer.from(secret, 'base64url') };
}

/** SHA-256, for storage. 256 random bits need neither salt nor a slow hash. */
export function hashPart(part: Buffer): Buffer {
  return createHash('sha256').update(part).digest();
}
