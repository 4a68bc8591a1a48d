import fc from 'fast-check';
import {
  consistencyRanges,
  GrowingTree,
  hashLeaf,
  inclusionRanges,
  isConsistent,
  joinEqual,
  joinFromRight,
  type LeafRange,
  rootFromInclusion,
  splitRange,
} from './merkle-tree.js';

/** The leaves and hashes of Certificate Transparency's own tests of RFC 6962. */
const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const leaves = inputs.map((input) => hashLeaf(Buffer.from(input, 'hex')));

function rootOf(hashes: readonly Buffer[]): Buffer {
  const tree = GrowingTree.empty();
  for (const hash of hashes) tree.append(hash);
  return tree.root;
}

const hashOf = (all: readonly Buffer[], { from, to }: LeafRange) => rootOf(all.slice(from, to));
const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'));

const includes = (index: number, size: number) => inclusionRanges(index, size).map((range) => hashOf(leaves, range));
const begins = (earlier: number, size: number) =>
  consistencyRanges(earlier, size).map((range) => hashOf(leaves, range));

describe('A Merkle tree', () => {
  it.each(roots.map((root, size) => [size, root] as const))(
    'should have the root of RFC 6962 with %i leaves',
    (size, root) => {
      expect(rootOf(leaves.slice(0, size)).toString('hex')).toBe(root);
    },
  );

  it('should have the inclusion proofs of RFC 6962', () => {
    expect(hex(includes(0, 1))).toEqual([]);
    expect(hex(includes(5, 8))).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect(hex(includes(2, 3))).toEqual(['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']);
    expect(hex(includes(1, 5))).toEqual([
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ]);
  });

  it('should have the consistency proofs of RFC 6962', () => {
    expect(hex(begins(1, 1))).toEqual([]);
    expect(hex(begins(1, 8))).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    expect(hex(begins(6, 8))).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect(hex(begins(2, 5))).toEqual([
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ]);
  });
});

const manyLeaves = Array.from({ length: 300 }, (_, index) => hashLeaf(String(index)));
const size = fc.integer({ min: 1, max: manyLeaves.length });
const leafOf = (index: number) => manyLeaves[index] ?? Buffer.alloc(0);

describe('Proofs of trees of any size', () => {
  it('should lead from each leaf to the root, and from no other leaf', () => {
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), (count, first, second) => {
        const [index, other] = [first % count, second % count];
        const root = rootOf(manyLeaves.slice(0, count));
        const hashes = inclusionRanges(index, count).map((range) => hashOf(manyLeaves, range));
        const proof = { index, size: count, hashes };
        expect(rootFromInclusion(leafOf(index), proof)).toEqual(root);
        if (other === index) return;
        expect(rootFromInclusion(leafOf(other), proof)).not.toEqual(root);
        expect(rootFromInclusion(leafOf(index), { ...proof, index: other })).not.toEqual(root);
      }),
    );
  });

  it('should show that a tree begins with an earlier one, and with no other', () => {
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), (count, number, change) => {
        const earlier = number % (count + 1);
        const [first, second] = [earlier, count].map((end) => ({ size: end, root: rootOf(manyLeaves.slice(0, end)) }));
        if (first === undefined || second === undefined) return;
        const hashes = consistencyRanges(earlier, count).map((range) => hashOf(manyLeaves, range));
        expect(isConsistent(first, second, hashes)).toBe(true);
        if (earlier === 0) return;
        const changed = manyLeaves.slice(0, earlier).with(change % earlier, hashLeaf('changed'));
        expect(isConsistent({ size: earlier, root: rootOf(changed) }, second, hashes)).toBe(false);
        expect(isConsistent(first, { size: count, root: hashLeaf('another') }, hashes)).toBe(false);
        expect(isConsistent(first, second, [...hashes, hashLeaf('more')])).toBe(false);
      }),
    );
  });

  it('should join subtrees of a range to its hash', () => {
    fc.assert(
      fc.property(size, fc.nat(), (count, number) => {
        for (const range of inclusionRanges(number % count, count)) {
          const hashes = splitRange(range).map(({ level, index }) =>
            joinEqual(manyLeaves.slice(index * 2 ** level, (index + 1) * 2 ** level)),
          );
          expect(joinFromRight(hashes)).toEqual(hashOf(manyLeaves, range));
        }
      }),
    );
  });

  it('should grow alike from leaves, from subtrees and from a kept edge', () => {
    fc.assert(
      fc.property(size, fc.nat(), (count, number) => {
        const middle = number % (count + 1);
        const fromSubtrees = GrowingTree.empty();
        for (const range of [
          { from: 0, to: middle },
          { from: middle, to: count },
        ]) {
          for (const { level, index } of splitRange(range)) {
            fromSubtrees.append(joinEqual(manyLeaves.slice(index * 2 ** level, (index + 1) * 2 ** level)), level);
          }
        }
        const kept = GrowingTree.empty();
        for (const leaf of manyLeaves.slice(0, middle)) kept.append(leaf);
        const restored = GrowingTree.restore(middle, kept.edge);
        for (const leaf of manyLeaves.slice(middle, count)) restored.append(leaf);
        const root = rootOf(manyLeaves.slice(0, count));
        expect([fromSubtrees.root, restored.root]).toEqual([root, root]);
        expect(restored.edge).toEqual(fromSubtrees.edge);
      }),
    );
  });
});
