import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JwtSecrets } from '../config/jwt-secret.js';

/** The only algorithm that is signed with and accepted (RFC 8725 §3.1). */
export const tokenAlgorithm = 'HS256' as const;
/** `iss` of the tokens that the built-in sign-in returns. */
export const tokenIssuer = 'keycard';
/** `aud` of the same: the management API. */
export const tokenAudience = 'keycard-management';

/** The secret that signed a token; the first one for a token that none of them signed, which then fails verification. */
export function secretOf(token: string, [first, ...others]: JwtSecrets): string {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const hasSigned = (secret: string) => {
    const expected = createHmac('sha256', secret)
      .update(token.slice(0, Math.max(0, end)))
      .digest();
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  };
  return others.find(hasSigned) ?? first;
}
