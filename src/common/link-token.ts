import { createHash, randomBytes } from 'node:crypto';

/** Generates the secret of a one-time link, such as an invitation: 256 random bits in base64url. */
export function generateLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of the token; only this is stored. A secret with this much entropy needs no slow hash. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
