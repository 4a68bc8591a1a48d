import { createHmac } from 'node:crypto';
import { hashLinkToken } from '../common/link-token.js';
import type { JwtSecrets } from '../config/jwt-secret.js';

/**
 * The secret of a link in a mail, like `generateLinkToken`. Derived from a secret that the database doesn't have, so the
 * queue needs no plaintext, and a mail that is sent again has the same link.
 *
 * @param mailId of the mail, and of nothing else
 */
export function deriveLinkToken(secret: string, mailId: string): string {
  return createHmac('sha256', secret).update(`keycard mail link ${mailId}`).digest('base64url');
}

/** The token of a mail whose hash was stored, perhaps before the secret was rotated; undefined if it isn't one. */
export function findLinkToken(secrets: JwtSecrets, mailId: string, hash: Buffer): string | undefined {
  return secrets.map((secret) => deriveLinkToken(secret, mailId)).find((token) => hashLinkToken(token).equals(hash));
}
