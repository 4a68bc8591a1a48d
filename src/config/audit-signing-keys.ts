import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import path from 'node:path';
import { StartupError } from '../common/startup-error.js';
import { loadOrGenerate } from './generated-secret.js';

/** Ed25519 seeds in base64: the first one signs, all of them verify. */
export type AuditSigningKeys = readonly [string, ...string[]];

const seedBytes = 32;
const pemBlock = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/g;

/**
 * Parses the current key, and previous ones after commas. Each is PEM (PKCS #8), or its seed of 32 bytes in base64 or hex.
 *
 * @returns undefined if one of them isn't an Ed25519 key
 */
export function parseAuditSigningKeys(text: string): AuditSigningKeys | undefined {
  // Some platforms can't store line breaks in variables.
  const keys = text.replaceAll('\\n', '\n').replace(pemBlock, (pem) => readPem(pem) ?? '?');
  const [first, ...previous] = keys.split(',').map((key) => fromHex(key.trim()));
  if (first === undefined || ![first, ...previous].every(isSeed)) return undefined;
  return [first, ...previous];
}

/**
 * The configured keys. With the embedded database, one is kept in the data directory, and generated on the first start.
 *
 * @returns undefined if the audit log isn't signed
 * @throws StartupError if the file can't be read or written, or holds no valid key
 */
export function findAuditSigningKeys({
  auditSigningKey,
  databaseUrl,
  dataDir,
}: {
  auditSigningKey?: AuditSigningKeys | undefined;
  databaseUrl?: string | undefined;
  dataDir: string;
}): AuditSigningKeys | undefined {
  if (auditSigningKey !== undefined || databaseUrl !== undefined) return auditSigningKey;
  const name = 'audit-signing-key';
  const keys = parseAuditSigningKeys(
    loadOrGenerate(dataDir, name, () => seedOf(generateKeyPairSync('ed25519').privateKey)),
  );
  if (keys !== undefined) return keys;
  throw new StartupError(
    `${path.join(dataDir, name)} must contain an Ed25519 private key; restore it from a backup of DATA_DIR.`,
  );
}

function fromHex(text: string): string {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex').toString('base64') : text;
}

function isSeed(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === seedBytes && bytes.toString('base64').replace(/=$/, '') === text.replace(/=$/, '');
}

function readPem(pem: string): string | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? seedOf(key) : undefined;
  } catch {
    return undefined;
  }
}

function seedOf(key: KeyObject): string {
  return Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url').toString('base64');
}
