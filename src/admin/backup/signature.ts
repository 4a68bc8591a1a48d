import { createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Transform } from 'node:stream';

/*
 * A signed backup ends with an empty gzip member. Its comment is the HMAC-SHA-256 of all bytes before it, so other programs
 * and earlier releases read the file as if it were unsigned, and a signature is checked before anything is decompressed.
 * HMAC instead of a key pair: the operator who writes backups also restores them, with the same environment.
 */

const label = 'keycard-hmac-sha256:';
/** Magic bytes, deflate, a comment, no time, unknown system. */
const memberStart = Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff]);
/** The end of the comment, an empty block, the checksum and length of nothing. */
const memberEnd = Buffer.from([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

const toMember = (hmac: Buffer) => Buffer.concat([memberStart, Buffer.from(label + hmac.toString('hex')), memberEnd]);

const memberBytes = toMember(Buffer.alloc(32)).length;

/** The signature at the end of a file. */
export interface Signature {
  hmac: Buffer;
  /** Size of the signed content, which precedes the signature. */
  contentBytes: number;
}

/** Computes the signature of content as it passes. */
export const hashContent = (key: string) => createHmac('sha256', key);

/** Passes the content of a file on, followed by its signature. */
export function signContent(key: string): Transform {
  const hash = hashContent(key);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
    flush: (done) => done(null, toMember(hash.digest())),
  });
}

/** Returns the signature of a file, unchecked; undefined if it has none. */
export async function readSignature(file: string): Promise<Signature | undefined> {
  const stats = await stat(file);
  const contentBytes = stats.size - memberBytes;
  // A pipe can only be read once, from its start.
  if (!stats.isFile() || contentBytes < 0) return undefined;
  const handle = await open(file);
  try {
    const member = Buffer.alloc(memberBytes);
    await handle.read(member, 0, memberBytes, contentBytes);
    const start = memberStart.length + label.length;
    const hmac = Buffer.from(member.toString('latin1', start, start + 64), 'hex');
    return member.equals(toMember(hmac)) ? { hmac, contentBytes } : undefined;
  } finally {
    await handle.close();
  }
}

/** Whether the content of a file has the signature. */
export async function isSigned(file: string, key: string, { hmac, contentBytes }: Signature): Promise<boolean> {
  const hash = hashContent(key);
  if (contentBytes > 0) {
    for await (const chunk of createReadStream(file, { end: contentBytes - 1 })) hash.update(chunk as Buffer);
  }
  return timingSafeEqual(hash.digest(), hmac);
}
