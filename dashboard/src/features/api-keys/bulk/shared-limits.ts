import type { LimitSettings, ListedApiKey } from '../../../api/schema.js';
import { toUnits } from '../../../common/limits/amounts.js';

/** Limits of several keys that count the same, but may have different maximums. */
export interface SharedLimit<Key> extends Pick<LimitSettings, 'metric' | 'per' | 'models'> {
  owners: { key: Key; limit: LimitSettings }[];
}

/** Returns the different limits of keys: costs first, which are raised most often, and then those that most keys have. */
export function findSharedLimits<Key extends Pick<ListedApiKey, 'limits'>>(keys: readonly Key[]): SharedLimit<Key>[] {
  const found = new Map<string, SharedLimit<Key>>();
  for (const key of keys) {
    for (const limit of key.limits ?? []) {
      const { metric, per, models } = limit;
      const identity = JSON.stringify([metric, per, models?.toSorted()]);
      const shared = found.get(identity) ?? { metric, ...(per && { per }), ...(models && { models }), owners: [] };
      shared.owners.push({ key, limit });
      found.set(identity, shared);
    }
  }
  const isCost = ({ metric }: SharedLimit<Key>) => Number(metric === 'cost');
  return [...found.values()].sort(
    (one, other) => isCost(other) - isCost(one) || other.owners.length - one.owners.length,
  );
}

/** The lowest and the highest maximum, without increases, in units. */
export function rangeOf({ metric, owners }: SharedLimit<unknown>): [lowest: bigint, highest: bigint] {
  const units = owners.map(({ limit }) => toUnits(metric, limit.max));
  const [first = 0n] = units;
  return [
    units.reduce((lowest, one) => (one < lowest ? one : lowest), first),
    units.reduce((highest, one) => (one > highest ? one : highest), first),
  ];
}

/** The limits with an increase that ends later; by default, also those whose increase has ended. */
export function increasedOf<Key>({ owners }: SharedLimit<Key>, since = -Infinity): SharedLimit<Key>['owners'] {
  return owners.filter(({ limit: { increase } }) => increase !== undefined && Date.parse(increase.until) > since);
}

/** The keys whose increase is set, or removed if they have one. */
export function keysToChange<Key>(shared: SharedLimit<Key>, { isRemoval }: { isRemoval: boolean }): Key[] {
  return (isRemoval ? increasedOf(shared) : shared.owners).map(({ key }) => key);
}
