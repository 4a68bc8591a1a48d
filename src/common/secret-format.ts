import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 40;
const checksumLength = 6;
const hintRandomLength = 5;

/** Secrets with a prefix, 40 random characters, and a checksum of 6. */
export class SecretFormat {
  private readonly bodyLength: number;
  private readonly pattern: RegExp;

  constructor(private readonly prefix: string) {
    this.bodyLength = prefix.length + randomLength;
    this.pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);
  }

  generate(): string {
    const body = this.prefix + randomBase62(randomLength);
    return body + checksum(body);
  }

  /** Whether the text has this format and its checksum. This saves a query for garbage; it authenticates nothing. */
  isWellFormed(text: string): boolean {
    return this.pattern.test(text) && text.endsWith(checksum(text.slice(0, this.bodyLength)));
  }

  /** The prefix and 5 characters, which identify the secret for people. */
  hintOf(secret: string): string {
    return secret.slice(0, this.prefix.length + hintRandomLength);
  }
}

/** SHA-256 of a secret, 32 bytes. 238 random bits need neither a salt nor a slow hash. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
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
