import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto';
import type { AuditSigningKeys } from '../../config/audit-signing-keys.js';

/** Of a PKCS #8 document with an Ed25519 key; its seed follows. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Of a signed note: Ed25519. */
const algorithm = Buffer.of(1);
const sealBytes = 16;

/** Signs checkpoints as notes (C2SP signed-note), and seals rows of the tree with a secret derived from the key. */
export class AuditKey {
  private readonly privateKey;
  private readonly publicBytes;
  private readonly sealKey;

  /** @param seed 32 bytes in base64 */
  constructor(seed: string) {
    const bytes = Buffer.from(seed, 'base64');
    this.privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, bytes]), format: 'der', type: 'pkcs8' });
    const { x = '' } = createPublicKey(this.privateKey).export({ format: 'jwk' });
    this.publicBytes = Buffer.from(x, 'base64url');
    this.sealKey = Buffer.from(hkdfSync('sha256', bytes, '', 'keycard audit seal', 32));
  }

  /** The public key as verifiers of notes take it: `name+id+key`. */
  verifierKey(name: string): string {
    const key = Buffer.concat([algorithm, this.publicBytes]).toString('base64');
    return `${name}+${keyId(name, this.publicBytes).toString('hex')}+${key}`;
  }

  /** @param text ends with a line break */
  signNote(text: string, name: string): string {
    const signature = sign(null, Buffer.from(text), this.privateKey);
    const signed = Buffer.concat([keyId(name, this.publicBytes), signature]);
    return `${text}\n— ${name} ${signed.toString('base64')}\n`;
  }

  /** A message authentication code: without the key, no one can change sealed values unnoticed. */
  seal(...values: readonly Uint8Array[]): Buffer {
    const code = createHmac('sha256', this.sealKey);
    for (const value of values) code.update(value);
    return code.digest().subarray(0, sealBytes);
  }
}

/** A note, and the name of the key that it must be signed with. */
interface SignedNote {
  text: string;
  signatures: { name: string; keyId: Buffer; signature: Buffer }[];
}

/** The signer of new checkpoints first. */
export const toAuditKeys = (seeds: AuditSigningKeys | undefined): AuditKey[] =>
  (seeds ?? []).map((seed) => new AuditKey(seed));

/** Whether one of the keys has signed the note under this name. */
export function isSignedBy(verifierKeys: readonly string[], note: string): boolean {
  const { text, signatures } = parseNote(note);
  return verifierKeys.map(parseVerifierKey).some((key) => {
    const own = signatures.find(({ name, keyId: id }) => name === key.name && id.equals(key.id));
    return own !== undefined && verify(null, Buffer.from(text), key.publicKey, own.signature);
  });
}

const signatureLine = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/;

function parseNote(note: string): SignedNote {
  const end = note.lastIndexOf('\n\n') + 1;
  const lines = note
    .slice(end + 1)
    .split('\n')
    .slice(0, -1);
  const signatures = lines.flatMap((line) => {
    const [, name = '', encoded = ''] = signatureLine.exec(line) ?? [];
    const bytes = Buffer.from(encoded, 'base64');
    return name === '' ? [] : [{ name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) }];
  });
  return { text: note.slice(0, end), signatures };
}

function parseVerifierKey(text: string) {
  const [name = '', , ...rest] = text.split('+');
  const bytes = Buffer.from(rest.join('+'), 'base64').subarray(1);
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
    format: 'jwk',
  });
  return { name, id: keyId(name, bytes), publicKey };
}

function keyId(name: string, publicBytes: Uint8Array): Buffer {
  return createHash('sha256').update(`${name}\n`).update(algorithm).update(publicBytes).digest().subarray(0, 4);
}
