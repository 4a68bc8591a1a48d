import type { AuditKey } from './audit-key.js';

/** A leaf, as it is stored. */
export interface Leaf {
  treeId: string;
  /** In the tree. */
  index: number;
  /** Among the leaves of all trees. */
  position: number;
  eventId: string;
  occurredAt: Date;
  hash: Buffer;
}

/** Seals all columns of a leaf, so that a change is found before a checkpoint contains the leaf. */
export function sealLeaf(key: AuditKey, { treeId, index, position, eventId, occurredAt, hash }: Leaf): Buffer {
  return key.seal(
    uuidBytes(treeId),
    numberBytes(index),
    numberBytes(position),
    uuidBytes(eventId),
    numberBytes(occurredAt.getTime()),
    hash,
  );
}

/** Seals the time before which events may have been deleted because of their age. */
export const sealDeletion = (key: AuditKey, deletedBefore: Date): Buffer =>
  key.seal(Buffer.from('deleted before'), numberBytes(deletedBefore.getTime()));

/** Seals the position from which on all leaves have seals. */
export const sealStart = (key: AuditKey, position: number): Buffer =>
  key.seal(Buffer.from('sealed from'), numberBytes(position));

const uuidBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}
