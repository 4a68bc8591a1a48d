import { createHash } from 'node:crypto';
import { parseCheckpoint } from '../../../src/audit/proofs/checkpoint.js';
import { isSignedBy } from '../../../src/audit/proofs/audit-key.js';

interface Exported {
  events: { index: number; event: Record<string, unknown> }[];
  omitted: number;
}

const sha256 = (...parts: (Uint8Array | string)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/**
 * Verifies an export as a client without Keycard's code does: computes the root from its lines.
 *
 * @throws Error if a line isn't in its place, the root is another, or the signature is wrong
 */
export function verifyExport(text: string): Exported {
  const subtrees: { level: number; hash: Buffer }[] = [];
  let size = 0;
  const append = (level: number, hash: Buffer) => {
    size += 2 ** level;
    let top = { level, hash };
    while (subtrees.at(-1)?.level === top.level) {
      top = { level: top.level + 1, hash: sha256(Buffer.of(1), subtrees.pop()?.hash ?? '', top.hash) };
    }
    subtrees.push(top);
  };
  const exported: Exported = { events: [], omitted: 0 };
  const lines = text.split('\n').slice(0, -1);
  const last = JSON.parse(lines.pop() ?? '') as { checkpoint: string; publicKey: string };
  for (const line of lines) {
    const content = JSON.parse(line) as {
      index: number;
      event: Record<string, unknown>;
      from?: number;
      omitted?: { level: number; hash: string }[];
    };
    if (content.omitted !== undefined) {
      if (content.from !== size) throw new Error('The lines have a gap.');
      for (const { level, hash } of content.omitted) append(level, Buffer.from(hash, 'base64'));
      exported.omitted++;
      continue;
    }
    if (content.index !== size) throw new Error('The lines have a gap.');
    append(0, sha256(Buffer.of(0), line.slice(line.indexOf('"event":') + 8, -1)));
    exported.events.push(content);
  }
  const root = subtrees.map(({ hash }) => hash).reduceRight((right, left) => sha256(Buffer.of(1), left, right));
  const checkpoint = parseCheckpoint(last.checkpoint);
  if (checkpoint?.size !== size || !checkpoint.root.equals(root)) throw new Error('The root is another.');
  if (!isSignedBy([last.publicKey], last.checkpoint)) throw new Error('The signature is wrong.');
  return exported;
}
