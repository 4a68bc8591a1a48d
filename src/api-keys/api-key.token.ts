import { apiKeyPrefix } from '../access/bearer-token.js';
import { hashSecret, SecretFormat } from '../common/secret-format.js';

const format = new SecretFormat(apiKeyPrefix);

/** Generates a key: `kc_`, 40 random characters, and a checksum of 6. */
export function generateApiKey(): string {
  return format.generate();
}

/** Whether the text has the format and checksum of a key. This saves a query for garbage; it authenticates nothing. */
export function isWellFormedApiKey(text: string): boolean {
  return format.isWellFormed(text);
}

/** SHA-256 of a key, 32 bytes. */
export const hashApiKey = hashSecret;

/** The first 8 characters of a key, which identify it for people. */
export function hintOfApiKey(key: string): string {
  return format.hintOf(key);
}
