import { createHash } from 'node:crypto';

/*
 * Merkle trees as RFC 6962 defines them. Sizes and indexes are whole numbers up to 2^53, so they are never shifted, which
 * would cut them to 32 bits.
 */

const leafPrefix = Buffer.of(0);
const nodePrefix = Buffer.of(1);
const hashBytes = 32;

/** The root of a tree without leaves. */
const emptyRoot = createHash('sha256').digest();

/** The leaves from `from` (inclusive) to `to` (exclusive). */
export interface LeafRange {
  from: number;
  to: number;
}

/** A complete subtree: the leaves from `index * 2^level`, `2^level` of them. */
export interface Subtree {
  level: number;
  index: number;
}

export const hashLeaf = (content: string | Uint8Array): Buffer =>
  createHash('sha256').update(leafPrefix).update(content).digest();

const hashNode = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(nodePrefix).update(left).update(right).digest();

/** Splits a range of leaves into the fewest complete subtrees, from left to right. */
export function splitRange({ from, to }: LeafRange): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let start = from; start < to;) {
    let level = 0;
    let width = 1;
    while (start % (2 * width) === 0 && start + 2 * width <= to) {
      level++;
      width *= 2;
    }
    subtrees.push({ level, index: start / width });
    start += width;
  }
  return subtrees;
}

/** A growing tree, of which only the right edge is kept: the hashes of at most 53 complete subtrees. */
export class GrowingTree {
  private constructor(
    private leaves: number,
    private readonly hashes: Buffer[],
  ) {}

  static empty(): GrowingTree {
    return new GrowingTree(0, []);
  }

  /** @param edge the concatenated hashes that `edge` returned for this size */
  static restore(size: number, edge: Buffer): GrowingTree {
    const hashes = Array.from({ length: edge.length / hashBytes }, (_, index) =>
      edge.subarray(index * hashBytes, (index + 1) * hashBytes),
    );
    return new GrowingTree(size, hashes);
  }

  get size(): number {
    return this.leaves;
  }

  get edge(): Buffer {
    return Buffer.concat(this.hashes);
  }

  get root(): Buffer {
    return joinFromRight(this.hashes);
  }

  /**
   * Appends a leaf, or a complete subtree that begins at the end of the tree.
   *
   * @param onComplete called for each larger subtree that this completes
   */
  append(hash: Buffer, level = 0, onComplete: (subtree: Subtree, hash: Buffer) => void = () => undefined): void {
    let index = this.leaves / 2 ** level;
    if (!Number.isInteger(index)) throw new RangeError('The subtree must begin at a multiple of its size.');
    this.leaves += 2 ** level;
    let joined = hash;
    for (let height = level + 1; index % 2 === 1; height++) {
      const left = this.hashes.pop();
      if (left === undefined) throw new RangeError('The right edge of the tree is incomplete.');
      joined = hashNode(left, joined);
      index = (index - 1) / 2;
      onComplete({ level: height, index }, joined);
    }
    this.hashes.push(joined);
  }
}

/** The hash of adjacent subtrees that get smaller from left to right. */
export function joinFromRight(hashes: readonly Buffer[]): Buffer {
  return (
    hashes.reduceRight<Buffer | undefined>((right, left) => (right ? hashNode(left, right) : left), undefined) ??
    emptyRoot
  );
}

/** The hash of `2^n` adjacent subtrees of one size. */
export function joinEqual(hashes: readonly Buffer[]): Buffer {
  const tree = GrowingTree.empty();
  for (const hash of hashes) tree.append(hash);
  return tree.root;
}

/** The ranges whose hashes prove that a tree contains a leaf, in the order of RFC 6962. */
export function inclusionRanges(index: number, size: number, start = 0): LeafRange[] {
  if (size <= 1) return [];
  const split = splitOf(size);
  const left = { from: start, to: start + split };
  const right = { from: start + split, to: start + size };
  return index < split
    ? [...inclusionRanges(index, split, start), right]
    : [...inclusionRanges(index - split, size - split, right.from), left];
}

/** The ranges whose hashes prove that a tree of `size` leaves begins with the tree of its first `earlier` leaves. */
export function consistencyRanges(earlier: number, size: number, start = 0, isKnown = true): LeafRange[] {
  if (earlier === 0) return [];
  if (earlier === size) return isKnown ? [] : [{ from: start, to: start + size }];
  const split = splitOf(size);
  const left = { from: start, to: start + split };
  const right = { from: start + split, to: start + size };
  return earlier <= split
    ? [...consistencyRanges(earlier, split, start, isKnown), right]
    : [...consistencyRanges(earlier - split, size - split, right.from, false), left];
}

/** The root of a tree of `size` leaves that contains the leaf at `index`, if the proof is valid; else undefined or another. */
export function rootFromInclusion(
  leaf: Buffer,
  { index, size, hashes }: { index: number; size: number; hashes: readonly Buffer[] },
): Buffer | undefined {
  if (index >= size) return undefined;
  const ranges = inclusionRanges(index, size);
  if (ranges.length !== hashes.length) return undefined;
  return ranges.reduce((hash, { from }, place) => {
    const sibling = hashes[place] ?? emptyRoot;
    return from > index ? hashNode(hash, sibling) : hashNode(sibling, hash);
  }, leaf);
}

/** Whether the hashes prove that the tree with the second root begins with the tree with the first. */
export function isConsistent(
  first: { size: number; root: Buffer },
  second: { size: number; root: Buffer },
  hashes: readonly Buffer[],
): boolean {
  if (first.size > second.size) return false;
  if (first.size === 0) return hashes.length === 0 && first.root.equals(emptyRoot);
  const ranges = consistencyRanges(first.size, second.size);
  if (ranges.length !== hashes.length) return false;
  const parts = ranges.map((range, place) => ({ ...range, hash: hashes[place] ?? emptyRoot }));
  // Without a hash of its own, the first tree is one complete subtree of the second.
  if (!parts.some(({ from, to }) => from < first.size && to >= first.size)) {
    parts.push({ from: 0, to: first.size, hash: first.root });
  }
  parts.sort((one, other) => one.from - other.from);
  const known = parts.filter(({ to }) => to <= first.size);
  return rootOf(known).equals(first.root) && rootOf(parts).equals(second.root);
}

/** Joins adjacent ranges, each of them a subtree of the whole. */
function rootOf(parts: readonly (LeafRange & { hash: Buffer })[]): Buffer {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first.hash;
  const start = first?.from ?? 0;
  const end = parts.at(-1)?.to ?? 0;
  const split = start + splitOf(end - start);
  return hashNode(rootOf(parts.filter(({ to }) => to <= split)), rootOf(parts.filter(({ from }) => from >= split)));
}

/** The size of the left subtree: the largest power of two below the size. */
function splitOf(size: number): number {
  let split = 1;
  while (2 * split < size) split *= 2;
  return split;
}
