import type { FailureCount, UsageGroup } from '../../../api/schema.js';
import { foldText } from '../../../lib/fold-text.js';
import { labelOfKey } from '../charts/series.js';

/** An option of a select. */
export interface Option {
  value: string;
  label: string;
}

export type UsedKey = NonNullable<UsageGroup['apiKey']>;

/** Returns the used keys, then other keys with failures: rejected requests may not count as usage. */
export function toUsedKeys(
  groups: readonly UsageGroup[],
  failures: readonly Pick<FailureCount, 'apiKeys'>[],
): UsedKey[] {
  return [...groups.flatMap(({ apiKey }) => apiKey ?? []), ...failures.flatMap(({ apiKeys }) => apiKeys)];
}

/** Returns the keys whose name contains the text, or that start with it. */
export function findKeys(keys: readonly UsedKey[], text: string): UsedKey[] {
  return keys.filter(({ name, hint }) => foldText(name).includes(foldText(text)) || hint === text);
}

/** Returns the keys as options, each once. */
export function toKeyOptions(keys: readonly UsedKey[]): Option[] {
  const unique = [...new Map(keys.map((apiKey) => [apiKey.id, apiKey])).values()];
  const names = unique.map(({ name }) => name);
  return unique.map((apiKey) => ({ value: apiKey.id, label: labelOfKey(apiKey, names) }));
}

/** Returns the used models as options. */
export function toModelOptions(groups: readonly UsageGroup[]): Option[] {
  return groups.flatMap(({ model }) => (model === undefined ? [] : [{ value: model, label: model }]));
}

/** Shown if nothing matches what was typed, also next to options that are selected. */
export const noMatch = { value: 'no-match', label: 'No match', disabled: true };

/** Adds the selected options that aren't among the others, first. */
export function withSelected(options: readonly Option[], selected: readonly Option[]): Option[] {
  const missing = selected.filter(({ value }) => options.every((option) => option.value !== value));
  return [...missing, ...options];
}
