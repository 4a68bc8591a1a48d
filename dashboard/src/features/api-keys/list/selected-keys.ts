import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';

/** Selected keys by id. They may be on other pages, or no longer match the filters since a change. */
export type SelectedKeys = ReadonlyMap<string, ListedApiKey>;

/** Replaces selected keys that were changed by the current ones, and removes those that no longer exist. */
export function updateSelected(
  selected: SelectedKeys,
  changed: readonly ListedApiKey[],
  current: readonly ListedApiKey[],
): SelectedKeys {
  const next = new Map(selected);
  for (const { id } of changed) {
    const key = current.find((one) => one.id === id);
    if (key === undefined) next.delete(id);
    else if (next.has(id)) next.set(id, key);
  }
  return next;
}
