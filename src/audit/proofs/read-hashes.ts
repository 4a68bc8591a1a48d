import type { EntityManager } from 'typeorm';
import { loadStatement } from '../../database/sql-file.js';
import { joinEqual, joinFromRight, type LeafRange, splitRange, type Subtree } from './merkle-tree.js';

/** Hashes of complete subtrees are stored at the levels that are multiples of this. */
export const storedLevels = 8;

export const readStatement = loadStatement('audit/proofs/read-hashes.sql', {
  parameters: ['treeId', 'levels', 'firsts', 'lasts'],
});

/**
 * Reads the hashes of complete subtrees, each from at most 128 stored hashes.
 *
 * @param subtrees of a tree that contains them
 */
export async function readSubtrees(
  manager: Pick<EntityManager, 'query'>,
  treeId: string,
  subtrees: readonly Subtree[],
): Promise<Buffer[]> {
  const parts = subtrees.map(({ level, index }) => {
    const stored = level - (level % storedLevels);
    const width = 2 ** (level - stored);
    return { level: stored, first: index * width, last: (index + 1) * width - 1 };
  });
  const rows = await manager.query<{ number: number; hash: Buffer }[]>(
    readStatement.text,
    readStatement.bind({
      treeId,
      levels: parts.map(({ level }) => level),
      firsts: parts.map(({ first }) => first),
      lasts: parts.map(({ last }) => last),
    }),
  );
  const hashes = parts.map((): Buffer[] => []);
  for (const { number, hash } of rows) hashes[number - 1]?.push(hash);
  return parts.map(({ first, last }, place) => {
    const own = hashes[place] ?? [];
    if (own.length !== last - first + 1) throw new Error(`Hashes of the audit log of ${treeId} are missing.`);
    return joinEqual(own);
  });
}

/** Reads the hashes of ranges that are subtrees of a tree, as in a proof. */
export async function readRanges(
  manager: Pick<EntityManager, 'query'>,
  treeId: string,
  ranges: readonly LeafRange[],
): Promise<Buffer[]> {
  const parts = ranges.map(splitRange);
  const hashes = await readSubtrees(manager, treeId, parts.flat());
  return parts.map(({ length }) => joinFromRight(hashes.splice(0, length)));
}
