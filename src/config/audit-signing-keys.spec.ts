import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findAuditSigningKeys, parseAuditSigningKeys } from './audit-signing-keys.js';

const seed = Buffer.alloc(32, 1).toString('base64');
const previous = Buffer.alloc(32, 2).toString('base64');

const pemOf = (type: 'ed25519' | 'x25519') =>
  (type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();

describe('parseAuditSigningKeys', () => {
  it('should accept one key, and previous ones after it', () => {
    expect(parseAuditSigningKeys(seed)).toEqual([seed]);
    expect(parseAuditSigningKeys(`${seed}, ${previous}`)).toEqual([seed, previous]);
  });

  it('should accept 32 bytes in hex', () => {
    expect(parseAuditSigningKeys('01'.repeat(32))).toEqual([seed]);
  });

  it('should accept PEM, also with escaped line breaks', () => {
    const pem = pemOf('ed25519');
    const [key] = parseAuditSigningKeys(pem) ?? [];
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
    expect(parseAuditSigningKeys(pem.replaceAll('\n', '\\n'))).toEqual([key]);
    expect(parseAuditSigningKeys(`${pem},${seed}`)).toEqual([key, seed]);
  });

  it.each([
    ['short', 'YWJj'],
    ['no base64', '?'.repeat(44)],
    ['another curve', pemOf('x25519')],
    ['an empty item', `${seed},`],
  ])('should reject %s', (_title, text) => {
    expect(parseAuditSigningKeys(text)).toBeUndefined();
  });
});

describe('findAuditSigningKeys', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'keycard-audit-key-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('should generate a key once for the embedded database, readable by its user only', () => {
    const keys = findAuditSigningKeys({ dataDir });
    expect(parseAuditSigningKeys(readFileSync(path.join(dataDir, 'audit-signing-key'), 'utf8'))).toEqual(keys);
    expect(statSync(path.join(dataDir, 'audit-signing-key')).mode & 0o777).toBe(0o600);
    expect(findAuditSigningKeys({ dataDir })).toEqual(keys);
  });

  it('should sign nothing with DATABASE_URL alone', () => {
    expect(findAuditSigningKeys({ dataDir, databaseUrl: 'postgresql://localhost/keycard' })).toBeUndefined();
  });

  it('should refuse a damaged file instead of replacing it', () => {
    writeFileSync(path.join(dataDir, 'audit-signing-key'), 'damaged');
    expect(() => findAuditSigningKeys({ dataDir })).toThrow('restore it from a backup of DATA_DIR');
  });
});
