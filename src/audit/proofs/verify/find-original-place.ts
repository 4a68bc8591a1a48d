import type { EntityManager } from 'typeorm';
import type { AuditKey } from '../audit-key.js';
import { sealLeaf } from '../seals.js';
import type { Finding } from './finding.js';
import type { StoredLeaf } from './read-leaves.js';

/** Looks for the place at which the seal of a leaf was valid: then it wasn't changed, but moved. */
export async function findOriginalPlace(
  manager: Pick<EntityManager, 'query'>,
  leaf: StoredLeaf,
  keys: readonly AuditKey[],
): Promise<Finding | undefined> {
  const { treeId, index, position, eventId, seal } = leaf;
  if (seal === null) return undefined;
  const places = await manager.query<{ index: number; position: number }[]>(
    'select index::float8 as index, position::float8 as position from audit_leaves where tree_id = $1 order by index',
    [treeId],
  );
  const fits = (place: { index: number; position: number }) =>
    keys.some((key) => sealLeaf(key, { ...leaf, ...place }).equals(seal));
  if (fits(leaf)) return undefined;
  const original = places
    .flatMap((place) => [place, { index: place.index, position }, { index, position: place.position }])
    .find(fits);
  if (original === undefined) return undefined;
  const from = original.index === index ? '' : ` from index ${original.index}`;
  const text = `Event ${eventId} was moved${from} to index ${index}.`;
  return { treeId, manipulation: 'reordered', index, eventId, text };
}
