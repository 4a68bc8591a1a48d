import { timingSafeEqual } from 'node:crypto';
import { hashSecret, SecretFormat } from '../common/secret-format.js';

/** Client secrets: `kcs_`, 40 random characters, and a checksum of 6. API keys start with `kc_`. */
export const clientSecretFormat = new SecretFormat('kcs_');

/** Whether the secret has this hash; false without a hash, in the same time. */
export function isSecretOf(secret: string, hash: Buffer | null | undefined): boolean {
  const actual = hashSecret(secret);
  return timingSafeEqual(actual, hash ?? Buffer.alloc(actual.length)) && hash != null;
}
