import { createHash, randomBytes } from 'node:crypto';

/** The secret in the link of an invitation: 256 random bits, base64url. */
export function generateInvitationToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, the only form in which it is stored; a secret of that entropy needs no slow hash. */
export function hashInvitationToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
