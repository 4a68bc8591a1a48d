import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiKeyPrefix } from '../access/bearer-token.js';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 40;
const checksumLength = 6;
const bodyLength = apiKeyPrefix.length + randomLength;
const wellFormed = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);
const hintLength = 8;

/** A key as it exists only in the answer to its creation: `kc_`, 40 random characters, 6 of checksum. */
export function generateApiKey(): string {
  const body = apiKeyPrefix + randomBase62(randomLength);
  return body + checksum(body);
}

/**
 * Whether the text has the form of a key, checksum included. It screens garbage without a query and
 * authenticates nothing.
 */
export function isWellFormedApiKey(text: string): boolean {
  return wellFormed.test(text) && text.endsWith(checksum(text.slice(0, bodyLength)));
}

/** What is stored of a key: SHA-256, 32 bytes. 238 random bits need neither salt nor a slow hash. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** What is shown of a key: its first 8 characters. */
export function hintOfApiKey(key: string): string {
  return key.slice(0, hintLength);
}

/** Uniform base62 by rejection sampling: of 256 byte values the last 8 would favour some characters. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < 256 - (256 % alphabet.length)) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}

/** CRC-32 (the polynomial of ISO 3309) in base62, padded with zeros. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let digit = 0; digit < checksumLength; digit++) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
