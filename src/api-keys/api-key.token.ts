import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiKeyPrefix } from '../access/bearer-token.js';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 40;
const checksumLength = 6;
const bodyLength = apiKeyPrefix.length + randomLength;
const wellFormed = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);
const hintLength = 8;

/** Generates a key: `kc_`, 40 random characters, and a checksum of 6. */
export function generateApiKey(): string {
  const body = apiKeyPrefix + randomBase62(randomLength);
  return body + checksum(body);
}

/** Whether the text has the format and checksum of a key. This saves a query for garbage; it authenticates nothing. */
export function isWellFormedApiKey(text: string): boolean {
  return wellFormed.test(text) && text.endsWith(checksum(text.slice(0, bodyLength)));
}

/** SHA-256 of a key, 32 bytes. 238 random bits need neither a salt nor a slow hash. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The first 8 characters of a key, which identify it for people. */
export function hintOfApiKey(key: string): string {
  return key.slice(0, hintLength);
}

/** Uniform base62 by rejection sampling: the last 8 of 256 byte values would favor some characters. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < 256 - (256 % alphabet.length)) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}

/** CRC-32 (ISO 3309) in base62, padded with zeros. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let digit = 0; digit < checksumLength; digit++) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
