import { createHash, randomBytes } from 'node:crypto';

/** The secret in a one-time link, such as that of an invitation: 256 random bits, base64url. */
export function generateLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, the only form in which it is stored; a secret of that entropy needs no slow hash. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
